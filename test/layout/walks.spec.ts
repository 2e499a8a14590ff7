import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { ANSWER, MODEL_CALL, readWalk } from './walk.js';

/** Files that no earlier file of a walk imports, with a name in them by which they are reached. */
const REACHED: Record<string, RegExp> = { 'libs/engine/runs/advance.ts': /\bimplements JobProcessor\b/ };

const read = (file: string) => readFileSync(join(process.cwd(), file), 'utf8');

/** Returns the paths of the files that a file imports from this repository. */
const importsOf = (file: string) =>
  [...read(file).matchAll(/\bfrom '([#.][^']+)\.js'/g)].map(([, name]) =>
    name!.startsWith('#') ? `libs/${name!.slice(1)}.ts` : `${normalize(join(dirname(file), name!))}.ts`,
  );

const changesOfFolder = (files: readonly string[]) =>
  files.filter((file, at) => at > 0 && dirname(file) !== dirname(files[at - 1]!)).length;

describe('the walks through the code in docs/ARCHITECTURE.md', () => {
  it.each([
    [MODEL_CALL, 38, 16],
    [ANSWER, 9, 4],
  ])('%s: at most %i files and %i changes of folder', (heading, mostFiles, mostChanges) => {
    const { files, stated } = readWalk(heading);
    expect(stated).toEqual([files.length, changesOfFolder(files)]);
    expect(files.length).toBeLessThanOrEqual(mostFiles);
    expect(changesOfFolder(files)).toBeLessThanOrEqual(mostChanges);
  });

  // test/layout/walk-calls.spec.ts records the other one.
  it('the walk from an answer follows imports', () => {
    const { files } = readWalk(ANSWER);
    const unreached = files.filter((file, at) => {
      if (at === 0) return false;
      if (file in REACHED) return !REACHED[file]!.test(read(file));
      return !files.slice(0, at).some((earlier) => importsOf(earlier).includes(file));
    });
    expect(unreached).toEqual([]);
  });
});
