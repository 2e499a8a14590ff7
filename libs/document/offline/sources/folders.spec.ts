import { compareNames } from '#contracts/source-name.js';
import fc from 'fast-check';
import { Folders } from './folders.js';

/** Returns the headings that the sources get, each with its number signs. */
function contents(names: string[]): string[] {
  const folders = new Folders(names);
  return names.flatMap((name, index) => {
    const { headings, place } = folders.placeOf(name, names[index - 1]);
    const above = headings.split('\n').filter((line) => line !== '');
    return [...above, `${'#'.repeat(place.level)} ${place.title ?? place.shown}`];
  });
}

describe('Folders', () => {
  it('puts the sources of a folder below its heading, and of a folder in it one level deeper', () => {
    expect(
      contents(['README.md', 'ops/alarm.md', 'ops/shifts/a.md', 'ops/shifts/b.md', 'src/a.py', 'src/z.py']),
    ).toEqual([
      '# README.md',
      '# Ops',
      '## alarm.md',
      '## Shifts',
      '### a.md',
      '### b.md',
      '# src',
      '## a.py',
      '## z.py',
    ]);
  });

  it('gives no heading to a folder with one source, and names such a folder if another has a source of that name', () => {
    expect(contents(['a.md', 'one/b.md', 'two/c/x.md', 'two/y.md', 'z/a.md'])).toEqual([
      '# a.md',
      '# b.md',
      '# Two',
      '## x.md',
      '## y.md',
      '# z/a.md',
    ]);
  });

  it('gives one heading to folders that have nothing but each other, and none to the folder of all sources', () => {
    expect(contents(['all/a.md', 'all/deep/er/x.md', 'all/deep/er/y.md'])).toEqual([
      '# a.md',
      '# `deep/er`',
      '## x.md',
      '## y.md',
    ]);
  });

  it('begins the chapter of a folder with its README', () => {
    expect(
      contents(['a.md', 'on_call/README.md', 'on_call/x.md', 'on_call/in/README.md', 'on_call/in/y.md']),
    ).toEqual(['# a.md', '# On call', '## x.md', '## In', '### y.md']);
  });

  it('has no more than three levels of folders', () => {
    const deep = ['a', 'a/b', 'a/b/c', 'a/b/c/d', 'a/b/c/d/e'].map((folder) => `${folder}/x.md`);
    expect(contents(['x.md', ...deep])).toEqual([
      '# x.md',
      '# A',
      '## x.md',
      '## B',
      '### x.md',
      '### C',
      '#### x.md',
      '### `c/d`',
      '#### x.md',
      '#### e/x.md',
    ]);
  });

  it('names every folder once, with no level skipped, in any tree', () => {
    const part = fc.constantFrom('a', 'b', 'c', 'README');
    const tree = fc.uniqueArray(fc.array(part, { minLength: 1, maxLength: 6 }), { maxLength: 30 });
    fc.assert(
      fc.property(tree, (paths) => {
        const names = [...new Set(paths.map((parts) => `${parts.join('/')}.md`))].sort(compareNames);
        const folders = new Folders(names);
        let level = 0;
        const begun = new Set<string>();
        names.forEach((name, index) => {
          const { headings, place } = folders.placeOf(name, names[index - 1]);
          const above = headings.split('\n').filter((line) => line !== '');
          for (const line of [...above, '#'.repeat(place.level)]) {
            const own = line.lastIndexOf('#') + 1;
            expect(own).toBeLessThanOrEqual(level + 1);
            level = own;
          }
          const groups = folders.groupsOf(name);
          const fresh = groups.filter((group) => !begun.has(group));
          expect(above).toHaveLength(fresh.length - Number(place.title !== null));
          for (const group of fresh) begun.add(group);
        });
      }),
    );
  });
});
