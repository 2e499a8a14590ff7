import {
  addChecked,
  checkPicked,
  type PickedFile,
  type Selection,
  withSources,
} from '../../apps/studio/src/api/source-files.js';

/** A file as the drop zone hands it over: of a dropped folder with its path, of a chosen file with "./" and its name. */
function picked(path: string, content: string | Uint8Array = path): PickedFile {
  const bytes = Buffer.from(content);
  return {
    name: path.split('/').at(-1)!,
    path,
    size: bytes.length,
    slice: (from, to) => new Blob([bytes.subarray(from, to)]),
  };
}

const NOTHING: Selection<PickedFile> = { sources: [], leftOut: [], notCarried: [] };
const select = async (...drops: PickedFile[][]) => {
  let selection = NOTHING;
  for (const files of drops) selection = addChecked(selection, await checkPicked(files));
  return selection;
};
const names = ({ sources }: Selection<PickedFile>) => sources.map(({ name }) => name);

describe('the files chosen in the studio', () => {
  it('D7 keep their folders, so that two with one base name stay separate', async () => {
    const selection = await select(
      [picked('/docs/guide/readme.md'), picked('/docs/api/readme.md')],
      [picked('./readme.md'), picked('/docs/10.md'), picked('/docs/2.md')],
    );
    expect(names(selection)).toEqual([
      'readme.md',
      'docs/2.md',
      'docs/10.md',
      'docs/api/readme.md',
      'docs/guide/readme.md',
    ]);
    expect(selection.leftOut).toEqual([]);
  });

  it('list each file that is left out, with the reason', async () => {
    const selection = await select([
      picked('/docs/a.md'),
      picked('/docs/.git/config'),
      picked('/docs/empty.md', ''),
      picked('/docs/marked.txt', new Uint8Array([0xff, 0xfe])),
      picked('/docs/program', new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0])),
      picked('/docs/utf16.txt', Buffer.from('\ufeffwords', 'utf16le')),
      picked('/docs/..2.md'),
    ]);
    expect(names(selection)).toEqual(['docs/a.md', 'docs/utf16.txt']);
    expect(selection.leftOut).toEqual([
      { name: 'docs/.git/config', reason: 'hidden' },
      { name: 'docs/empty.md', reason: 'empty' },
      { name: 'docs/marked.txt', reason: 'empty' },
      { name: 'docs/program', reason: 'binary' },
      { name: 'docs/..2.md', reason: 'name' },
    ]);
  });

  it('list a file that another one with the same name replaces', async () => {
    const [first, second] = [picked('./a.md', 'one'), picked('./a.md', 'two')];
    const selection = await select([first], [second]);
    expect(selection.sources).toEqual([{ name: 'a.md', file: second }]);
    expect(selection.leftOut).toEqual([{ name: 'a.md', reason: 'duplicate' }]);
  });

  it('stay in the order of a person when further files are added', async () => {
    const chosen = await select([picked('./a.md'), picked('./b.md')]);
    const moved = withSources(chosen, chosen.sources.toReversed());
    const added = addChecked(
      moved,
      await checkPicked([picked('./10.md'), picked('./2.md'), picked('./a.md')]),
    );
    expect(names(added)).toEqual(['b.md', 'a.md', '2.md', '10.md']);
  });

  it('list files that are sent but cannot be carried, and accept a hidden file that is chosen individually', async () => {
    const selection = await select([picked('./.env'), picked('/docs/data.zip')]);
    expect(names(selection)).toEqual(['.env', 'docs/data.zip']);
    expect(selection.notCarried).toEqual(['docs/data.zip']);
  });
});
