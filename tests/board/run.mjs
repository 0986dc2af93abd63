// The firmware's compiled files under MicroPython. `node run.mjs FOLDER MICROPYTHON HASTE CHANNEL`: FOLDER holds the files as on a board;
// its clock goes HASTE times as fast; the input is what comes over USB, the output what goes there; on CHANNEL, "d" and "u" press and release the button.
// Only the board itself is made up: pins, LEDs, USB and the noise that entropy is made of (see the modules beside this).
import { randomFillSync } from "node:crypto";
import { createReadStream, readFileSync, readdirSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, micropython, haste, channel] = process.argv.slice(2);
const { loadMicroPython } = await import(pathToFileURL(micropython));
const python = await loadMicroPython({ heapsize: 192 * 1024 }); // what a Pico has left

function copy(from, to) {
    for (const name of readdirSync(from)) {
        if (statSync(join(from, name)).isDirectory()) {
            python.FS.mkdir(`${to}/${name}`);
            copy(join(from, name), `${to}/${name}`);
        } else python.FS.writeFile(`${to}/${name}`, readFileSync(join(from, name)));
    }
}

let came = [];
let down = false;
python.registerJsModule("usb", {
    some: () => came.length > 0,
    take: () => came.shift(),
    say: (byte) => said.push(byte),
    down: () => down,
    noise: () => randomFillSync(new Uint8Array(1))[0],
    now: () => Math.floor(haste * performance.now()),
});
let said = [];
python.FS.mkdir("/board");
copy(folder, "/board");
python.runPython('import sys\nsys.path.insert(0, "/board")\nimport edge\nfrom firmware import main\nboard = main.Board()');
process.stdin.on("data", (data) => came.push(...data));
process.stdin.on("end", () => process.exit(0));
createReadStream("", { fd: Number(channel) }).on("data", (data) => { down = data.at(-1) === 100; });
setInterval(() => {
    python.runPython("board.turn()");
    if (said.length) writeSync(1, Uint8Array.from(said));
    said = [];
}, 2);
