import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const ARCHITECTURE = readFileSync(join(process.cwd(), 'docs/ARCHITECTURE.md'), 'utf8');

/** Files that no earlier file of a walk imports, with a name in them by which they are reached. */
const REACHED: Record<string, RegExp> = {
  'libs/engine/runs/run-processor.ts': /\bimplements JobProcessor\b/,
  'libs/document/graph/definition.ts': /\bimplements GraphDefinition\b/,
  'libs/kit/runner/services.ts': /\bRunnerServices\b/,
};

const read = (file: string) => readFileSync(join(process.cwd(), file), 'utf8');

/** Returns the paths of the files that a file imports from this repository. */
const importsOf = (file: string) =>
  [...read(file).matchAll(/\bfrom '([#.][^']+)\.js'/g)].map(([, name]) =>
    name!.startsWith('#') ? `libs/${name!.slice(1)}.ts` : `${normalize(join(dirname(file), name!))}.ts`,
  );

/** Returns a walk of docs/ARCHITECTURE.md: its files in order, and the numbers that its heading states. */
function walk(heading: string) {
  const [title = '', table = ''] = ARCHITECTURE.slice(ARCHITECTURE.indexOf(`**${heading}`)).split('\n\n');
  const files = [...table.matchAll(/^\| `(libs\/[^`]+)` \| (.+) \|$/gm)].flatMap(([, folder, cell]) =>
    [...cell!.matchAll(/`([\w-]+\.(?:\w+\.)?ts)`/g)].map(([, name]) => `${folder}${name}`),
  );
  const stated = /\((\d+) files, (\d+) changes of folder\)/.exec(title)?.slice(1).map(Number);
  return { files, stated };
}

const changesOfFolder = (files: readonly string[]) =>
  files.filter((file, at) => at > 0 && dirname(file) !== dirname(files[at - 1]!)).length;

describe('the walks through the code in docs/ARCHITECTURE.md', () => {
  it.each([
    ['From `POST /api/agents/runs` to the first call of the model', 25, 8],
    ['From an answer to the graph that continues', 15, 5],
  ])(
    '%s: at most %i files and %i changes of folder, following imports',
    (heading, mostFiles, mostChanges) => {
      const { files, stated } = walk(heading);
      expect(stated).toEqual([files.length, changesOfFolder(files)]);
      expect(files.length).toBeLessThanOrEqual(mostFiles);
      expect(changesOfFolder(files)).toBeLessThanOrEqual(mostChanges);
      const unreached = files.filter((file, at) => {
        if (at === 0) return false;
        if (file in REACHED) return !REACHED[file]!.test(read(file));
        return !files.slice(0, at).some((earlier) => importsOf(earlier).includes(file));
      });
      expect(unreached).toEqual([]);
    },
  );
});
