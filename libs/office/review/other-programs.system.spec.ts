import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { sha256 } from '#contracts/sha256.js';
import { atDepth } from '#testing/depth.js';
import { DocxFolder } from '#testing/docx/docx-folder.js';
import { AUTHORS, editRandomly, randomEdits, REVIEWED, shownWords } from '#testing/docx/random-edits.js';
import { run } from '#testing/docx/tools.js';
import { WordEditor } from '#testing/docx/word-editor.js';
import { itWhere } from '#testing/it-where.js';
import { itWith } from '#testing/programs.js';
import { writeDocx } from '../docx/write/write.js';
import { buildStructure } from '../structure/build.js';
import { leavesOf } from './leaves.js';
import { applyProposals, reviewDocx } from './review.js';

/** Folder with Python and python-docx. */
const PYTHON_DOCX = process.env['SCRIPTORIUM_TEST_PYTHON_DOCX'] ?? '';
/** Edits copies of a Word file at random, and prints the paragraphs of each as JSON, from the title on. */
const EDIT = `
import docx, json, random, sys
path, count = sys.argv[1], int(sys.argv[2])
words = ['alpha', 'beta *x*', '# two', '1. one', 'żółw', 'a|b', 'x < y']
for k in range(count):
    chance = random.Random(k)
    document = docx.Document(path)
    first = [p.text for p in document.paragraphs].index('Title')
    for _ in range(chance.randint(1, 6)):
        paragraphs = document.paragraphs[first:]
        chosen = chance.choice(paragraphs)
        kind = chance.choice(['add', 'replace', 'clear', 'before', 'delete', 'upper'])
        if kind == 'add': chosen.add_run(' ' + chance.choice(words))
        elif kind == 'before': chosen.insert_paragraph_before(chance.choice(words), style=chosen.style)
        elif kind == 'delete' and len(paragraphs) > 3: chosen._element.getparent().remove(chosen._element)
        elif kind != 'delete' and chosen.runs:
            run = chance.choice(chosen.runs)
            run.text = {'replace': chance.choice(words), 'clear': '', 'upper': run.text.upper()}[kind]
    document.save(path.replace('sent', str(k)))
    print(json.dumps([p.text for p in document.paragraphs[first:]]))
`;

const FILES = atDepth({ quick: 8, full: 80 });

describe('changes in a Word file that another program saved', () => {
  let folder: DocxFolder;
  let sent: Uint8Array;
  beforeAll(async () => {
    folder = await DocxFolder.create();
    const manuscript = sha256(REVIEWED);
    sent = await writeDocx(buildStructure(REVIEWED), () => Promise.resolve(null), { manuscript });
  });
  afterAll(() => folder.remove());

  itWith('soffice')('X9 are all found where they were made after LibreOffice saved it', async () => {
    const cases = fc.sample(fc.tuple(randomEdits, fc.subarray([...AUTHORS])), { numRuns: FILES, seed: 65 });
    const first = new WordEditor(sent).find('Title');
    const editors = cases.map(() => new WordEditor(sent));
    const names = cases.map((_, index) => join(folder.path, `${index}.docx`));
    for (const [index, [edits]] of cases.entries()) {
      editRandomly(editors[index]!, edits);
      await writeFile(names[index]!, editors[index]!.save());
    }
    const output = join(folder.path, 'saved');
    const profile = pathToFileURL(join(folder.path, 'profile')).href;
    await run('soffice', [
      ...[`-env:UserInstallation=${profile}`, '--headless', '--convert-to', 'docx:MS Word 2007 XML'],
      ...['--outdir', output, ...names],
    ]);
    for (const [index, [edits, accepted]] of cases.entries()) {
      const returned = await readFile(join(output, `${index}.docx`));
      const proposals = reviewDocx(sent, returned, REVIEWED);
      const isAccepted = (author: string) => (accepted as string[]).includes(author);
      // LibreOffice forgets who inserted the end of a paragraph that another person deleted.
      const found = [false, true].map((isUntracked) => {
        const isUsed = (at: number) => {
          const { author } = proposals[at]!;
          return author === null ? isUntracked : isAccepted(author);
        };
        const { text, refused } = applyProposals(REVIEWED, proposals, isUsed);
        return refused.length > 0 ? null : shownWords(leavesOf(text).map((leaf) => leaf.text));
      });
      const expected = shownWords(editors[index]!.texts(isAccepted).slice(first));
      // Refused proposals are named, and nothing of them is applied.
      if (!found.includes(null))
        expect({ edits, accepted, found }).toMatchObject({
          found: expect.arrayContaining([expected]) as unknown,
        });
    }
  });

  itWhere(PYTHON_DOCX !== '')(
    'X9 are found by words after python-docx made them without a trace',
    async () => {
      const path = join(folder.path, 'sent.docx');
      await writeFile(path, sent);
      const python = join(PYTHON_DOCX, 'bin/python');
      const { stdout } = await run(python, ['-c', EDIT, path, String(FILES)], { maxBuffer: 1e9 });
      for (const [index, line] of stdout.trimEnd().split('\n').entries()) {
        const returned = await readFile(join(folder.path, `${index}.docx`));
        const proposals = reviewDocx(sent, returned, REVIEWED);
        const { text, refused } = applyProposals(REVIEWED, proposals, () => true);
        const found = shownWords(leavesOf(text).map((leaf) => leaf.text));
        const expected = shownWords(JSON.parse(line) as string[]);
        if (refused.length === 0) expect({ index, found }).toEqual({ index, found: expected });
      }
    },
  );
});
