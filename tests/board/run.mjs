// Runs the firmware's compiled files under MicroPython: `node run.mjs FOLDER MICROPYTHON`. FOLDER holds the files as
// they are on a board. Each input line, "MILLISECONDS BUTTON BYTES", is one pass of the main loop: the time, 1 while the
// button is held, and the bytes received over USB, in hex. The output line for it holds the bytes sent in that pass.
// Time stands still in between. Only the hardware is simulated: pins, LEDs, USB and the noise for entropy (see edge.py).
import { randomFillSync } from "node:crypto";
import { readFileSync, readdirSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [folder, micropython] = process.argv.slice(2);
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

let now = 0;
let down = false;
let came = [];
let said = [];
python.registerJsModule("usb", {
    some: () => came.length > 0,
    take: () => came.shift(),
    say: (byte) => said.push(byte),
    down: () => down,
    noise: () => randomFillSync(new Uint8Array(1))[0],
    now: () => now,
});
python.FS.mkdir("/board");
copy(folder, "/board");
let begun = false;
for await (const line of createInterface({ input: process.stdin })) {
    const [milliseconds, button, bytes] = line.split(" ");
    now = Number(milliseconds);
    down = button === "1";
    came.push(...Buffer.from(bytes, "hex"));
    if (begun) python.runPython("board.turn()");
    else python.runPython('import sys\nsys.path.insert(0, "/board")\nimport edge\nfrom firmware import main\nboard = main.Board()');
    begun = true;
    writeSync(1, Buffer.from(said).toString("hex") + "\n");
    said = [];
}
