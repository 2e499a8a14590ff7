import type { DecisionRequest } from '#catalogue/decisions.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { TaskInput } from '#catalogue/tasks.js';
import { succeeded } from '#testing/default-tasks.js';
import { runDocument } from '#testing/graph-harness.js';
import { say, scriptedModel } from '#testing/scripted-model.js';
import { INPUTS, WRITE_FIRST, WRITE_SECOND } from '#testing/two-chapters.js';
import type { Unreadable } from '../contract/tasks.js';

const BAD = { name: 'b.ipynb', reason: 'b.ipynb is not a notebook: it is not JSON' };
const OLD = {
  name: 'c.xls',
  reason: 'c.xls needs LibreOffice',
  phrase: phrase('unreadable.needs_libre_office', { name: 'c.xls', ending: '.xlsx' }),
};

describe('an input that cannot be read', () => {
  async function run(action: string, unreadable: Unreadable[] = [BAD]) {
    const asked: DecisionRequest[] = [];
    const scans: TaskInput<'scan_assets'>[] = [];
    const found = await runDocument({
      inputs: INPUTS,
      model: scriptedModel([WRITE_FIRST, WRITE_SECOND, say('All is written.')]),
      answers: {
        scan_assets: (input: TaskInput<'scan_assets'>) => {
          scans.push(input);
          const isKnown = (input.left_out ?? []).length > 0;
          const none = { missing_references: [], references: [], user_decisions: {} };
          return succeeded<'scan_assets'>({ ...none, ...(isKnown ? {} : { unreadable }) });
        },
        human_input: (input: DecisionRequest) => {
          asked.push(input);
          return succeeded<'human_input'>({ action });
        },
      },
    });
    return { ...found, asked, scans };
  }

  it('D4 leads to a question, and is omitted from the run that writes the others', async () => {
    const { path, state, asked, scans } = await run('leave_out');
    expect(path.slice(0, 4)).toEqual(['scan_assets', 'unreadable_decision', 'scan_assets', 'agent']);
    expect(asked).toMatchObject([
      {
        decision_type: 'unreadable_files',
        context: [BAD.reason],
        details: { files: [BAD] },
        default_answer: { action: 'leave_out' },
      },
    ]);
    expect(scans.map(({ left_out }) => left_out)).toEqual([[], [BAD]]);
    expect(state).toMatchObject({ status: 'completed', unreadable: [], left_out: [BAD] });
  });

  it('D4 is omitted without a question if this installation does not read its format', async () => {
    const alone = await run('abort', [OLD]);
    expect(alone.asked).toEqual([]);
    expect(alone.state).toMatchObject({ status: 'completed', unreadable: [], left_out: [OLD] });
    const { asked, state } = await run('leave_out', [OLD, BAD]);
    expect(asked).toMatchObject([{ context: [BAD.reason], details: { files: [BAD] } }]);
    expect(state).toMatchObject({ status: 'completed', left_out: [OLD, BAD] });
  });

  it('D4 ends the run if a person decides so', async () => {
    const { path, state } = await run('abort');
    expect(path).toEqual(['scan_assets', 'unreadable_decision']);
    expect(state).toMatchObject({
      status: 'failed',
      error_type: 'extraction_failed',
      last_error: `${BAD.reason}. Replace or remove the file and start a new run.`,
    });
  });
});
