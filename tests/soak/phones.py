"""`python -m tests.soak.phones`: whole games of Bluff and Cacho on phones, in which no hidden die leaks."""

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

import aiohttp

from tests.phones import leaks, rooms, whole_game

GAMES = 200


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES, help=f"games to play, half of each ({GAMES})")
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    begun, looked, texts, size = time.monotonic(), 0, 0, 0

    async def play(game: str, seed: int, table: object) -> tuple[int, list[str], dict[object, list[str]]]:
        async with aiohttp.ClientSession() as session:
            referee, heard = await whole_game(table, session, game, seed)  # type: ignore[arg-type]
        return *leaks(referee, heard), heard

    for done in range(0, wanted.games, 10):
        with tempfile.TemporaryDirectory() as folder, rooms(Path(folder)) as table:
            for number in range(done, min(done + 10, wanted.games)):
                game = ("bluff", "cacho")[number % 2]
                checked, found, heard = asyncio.run(play(game, wanted.seed + number, table))
                if found:
                    raise SystemExit(f"{game}, seed {wanted.seed + number}: {found[0]}")
                looked += checked
                texts += sum(map(len, heard.values()))
                size += sum(len(text.encode()) for all_of_one in heard.values() for text in all_of_one)
        print(
            f"{min(done + 10, wanted.games):6} games, {texts} messages, {looked} searches for hidden hands", flush=True
        )
    took = time.monotonic() - begun
    print(f"no hidden die was sent to another player, in {size:,} bytes and {took:.0f} seconds")


if __name__ == "__main__":
    main()
