import { inThisThread, TEST_SETTINGS } from '#testing/graph-harness.js';
import { MemoryCheckpoints, MemoryInputs, memoryManuscripts } from '#testing/memory-ports.js';
import { DocumentRules } from '../offline/rules.js';
import { writeChapter } from '../offline/write-chapter.js';
import type { DocumentPorts } from './ports.js';
import { buildInitialState, type DocumentState } from './state.js';
import { settledIn, takeOver } from './take-over.js';

const EDITED = '# First\n\nAlpha, edited.\n\n# Second\n\nBeta one.\n';
const INPUTS = { 'a.md': '# First\n\nAlpha.\n', 'b.md': '# Second\n\nBeta two.\n' };

/** A run that keeps the edited chapter of a.md, and has to write b.md. */
async function begun() {
  const manuscripts = memoryManuscripts('ses_test').port;
  const { pointer } = await manuscripts.append(null, EDITED);
  const names = Object.keys(INPUTS);
  const state: DocumentState = {
    ...buildInitialState('ses_test', names, names),
    taken_over: {
      ...{ added: [], changed: ['b.md'], renamed: [], removed: [], kept: ['a.md'], manuscript: pointer },
      chapters: [{ files: ['a.md'], lines: [1, 4], due: [], isSettled: true }],
      edited: { kept: ['a.md'], lost: [] },
    },
  };
  const ports = {
    ...{ manuscripts, inputs: new MemoryInputs(INPUTS, 4_096), settings: TEST_SETTINGS },
    ...{ rules: new DocumentRules(inThisThread), checkpoints: new MemoryCheckpoints() },
    ...{ say: () => undefined, emit: () => undefined },
  } as unknown as DocumentPorts;
  return { ports, state };
}
const CONFIG = { configurable: { checkpoint_ns: 'agent:1' } };
const given = (state: DocumentState, update: object) => ({ ...state, ...update }) as DocumentState;

describe('X6 kept chapters in the manuscript', () => {
  it('keep what people decided where lines were added before them, and lose it once they are gone', async () => {
    const { ports, state } = await begun();
    const taken = given(state, await takeOver(ports, state, { isProven: true }));
    expect(await settledIn(ports, taken)).toEqual({ sources: ['a.md'], lines: [[1, 3]] });
    const text = ['Summary.', '', ...(await ports.manuscripts.lines(taken.temp_md_path))];
    const moved = (await ports.manuscripts.append(null, `${text.join('\n')}\n`)).pointer;
    expect(await settledIn(ports, { ...taken, temp_md_path: moved })).toEqual({
      sources: ['a.md'],
      lines: [[3, 5]],
    });
    const gone = (await ports.manuscripts.append(null, '# First\n\nAlpha.\n')).pointer;
    expect(await settledIn(ports, { ...taken, temp_md_path: gone })).toEqual({ sources: [], lines: [] });
  });

  it.each([1, 2])('are not written by rules after %d failed validations', async (fix_attempts) => {
    const { ports, state } = await begun();
    const { pointer } = await ports.manuscripts.append(null, '# Second\n\nBeta.\n');
    const written = given(state, { temp_md_path: pointer, files_read: ['b.md'] });
    const complete = given(written, await takeOver(ports, written, { isProven: false }));
    const failed = given(complete, {
      ...{ fix_attempts, validation_passed: false, generation_complete: true, files_read: ['a.md', 'b.md'] },
    });
    const repaired = await writeChapter(ports)(failed, CONFIG);
    const lines = await ports.manuscripts.lines(repaired.temp_md_path as string);
    expect(lines.filter((line) => line.startsWith('Alpha'))).toEqual(['Alpha, edited.']);
    expect(lines).toContain('Beta two.');
    expect(repaired.taken_over).toMatchObject({ appended: 1 });
  });

  it('are left to a person if nothing else was written', async () => {
    const { ports, state } = await begun();
    const all = { ...state, text_files: ['a.md'], input_files: ['a.md'] };
    const taken = given(all, await takeOver(ports, all, { isProven: false }));
    const failed = given(taken, { fix_attempts: 2, validation_passed: false, generation_complete: true });
    const update = { ...failed, ...(await writeChapter(ports)(failed, CONFIG)) };
    expect(update).toMatchObject({ temp_md_path: taken.temp_md_path, generation_complete: true });
  });
});
