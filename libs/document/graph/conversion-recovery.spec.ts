import { type NewRunEvent } from '#catalogue/events.js';
import { failedTask, succeeded } from '#testing/default-tasks.js';
import { runDocument, type HarnessRun } from '#testing/graph-harness.js';
import { MemoryCheckpoints, memoryManuscripts } from '#testing/memory-ports.js';
import { callTools, say, scriptedModel } from '#testing/scripted-model.js';
import {
  INPUTS,
  CHAPTERS,
  finish,
  WRITE_FIRST,
  WRITE_SECOND,
  writer,
  lastOrder,
} from '#testing/two-chapters.js';
import { errorHandler } from './nodes/conversion.js';
import { type DocumentPorts } from './ports.js';
import { nextNode } from './routing.js';
import { buildInitialState, type DocumentState } from './state.js';

const typesOf = (run: HarnessRun) => run.events.map(({ type }) => type);

describe('recovery of a conversion', () => {
  const model = () => scriptedModel([WRITE_FIRST, WRITE_SECOND, say('done')]);

  it('D32 D33 restores the last checkpoint and returns to the agent with the error', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: model(),
      answers: {
        convert: (_, attempt) =>
          attempt === 1
            ? failedTask('conversion_failed', 'A table is too wide')
            : succeeded<'convert'>({ output_docx_path: 'x.docx', export_id: 'exp_2', bytes: 1 }),
      },
    });
    const handled = run.path.slice(run.path.indexOf('error_handler') - 2);
    expect(handled.slice(0, 4)).toEqual(['parse_to_json', 'convert', 'error_handler', 'agent']);
    const order = lastOrder(run, 3);
    expect(order?.error).toEqual({ type: 'conversion_failed', message: 'A table is too wide' });
    expect(order?.conversion_attempts).toBe(1);
    const validated = run.checkpoints.filter((checkpoint) => checkpoint.validated);
    expect(run.events.find(({ type }) => type === 'rollback_performed')?.data).toEqual({
      checkpoint_id: validated[1]?.id,
    });
    expect(run.manuscript).toBe(CHAPTERS.join('\n'));
  });

  it('D33 a model recovers from a conversion that fails twice', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: writer,
      answers: {
        convert: (_, attempt) =>
          attempt < 3
            ? failedTask('conversion_failed', 'broken')
            : succeeded<'convert'>({ output_docx_path: 'x.docx', export_id: 'exp_3', bytes: 1 }),
      },
    });
    expect(run.state).toMatchObject({ status: 'completed', conversion_attempts: 2, coverage: 1 });
    expect(run.repeatedEffects).toEqual([]);
  });

  it.each(['unknown_task', 'conversion_not_installed'])(
    'D33 does not ask the agent to repair %s, which the text did not cause',
    async (code) => {
      const run = await runDocument({
        inputs: INPUTS,
        model: writer,
        answers: { convert: () => failedTask(code, 'No converter does it.') },
      });
      expect(run.state).toMatchObject({ status: 'failed', error_type: code, conversion_attempts: 1 });
      expect(run.path.slice(-2)).toEqual(['convert', 'error_handler']);
    },
  );

  it('D34 keeps last_error and error_type for audit after the recovery', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: model(),
      answers: {
        quality_check: (_, attempt) =>
          succeeded<'quality_check'>({
            passed: attempt > 1,
            issues: [{ rule: 'code', message: 'A code line differs', source_line: 7 }],
          }),
      },
    });
    expect(run.state).toMatchObject({
      status: 'completed',
      conversion_attempts: 1,
      retry_count: 1,
      error_type: 'quality_check_failed',
      last_error: 'The Word file differs from the manuscript or its sources: line 7: A code line differs',
      export_id: 'exp_2',
    });
  });

  it('D33 the agent can inspect and repair the text before the next conversion, and its repairs are validated', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: scriptedModel([
        WRITE_FIRST,
        WRITE_SECOND,
        say('done'),
        callTools(['read_generated_file', { lines: 20 }]),
        callTools(['edit_markdown_line', { line_number: 5, new_content: '# The log' }], finish),
        say('done'),
      ]),
      answers: {
        parse_to_json: ({ manuscript }, attempt) =>
          attempt === 1
            ? failedTask('parse_failed', 'broken')
            : succeeded<'parse_to_json'>({ structure_json_path: `s/${manuscript}` }),
      },
    });
    expect(run.manuscript).toContain('# The log');
    expect(run.state).toMatchObject({ status: 'completed', conversion_attempts: 1, coverage: 1 });
    const after = run.path.slice(run.path.indexOf('error_handler'));
    expect(after.slice(0, 7)).toEqual([
      'error_handler',
      ...['agent', 'tools', 'agent', 'tools', 'validate_md', 'checkpoint'],
    ]);
  });

  it('D33 three failed attempts end the run with the last error and without an export', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: model(),
      answers: {
        quality_check: () =>
          succeeded<'quality_check'>({
            passed: false,
            issues: [{ rule: 'code', message: 'lost', source_line: null }],
          }),
      },
    });
    expect(run.state).toMatchObject({
      status: 'failed',
      conversion_attempts: 3,
      error_type: 'quality_check_failed',
      output_docx_path: null,
      export_id: null,
    });
    expect(run.path.filter((node) => node === 'error_handler')).toHaveLength(3);
    expect(typesOf(run).filter((type) => type === 'rollback_performed')).toHaveLength(2);
  });

  it('D34 without a checkpoint to restore, the rollback is skipped with a reason, and the agent still gets the error', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: model(),
      forgetsCheckpoints: true,
      answers: {
        convert: (_, attempt) =>
          attempt === 1
            ? failedTask('conversion_failed', 'broken')
            : succeeded<'convert'>({ output_docx_path: 'x.docx', export_id: 'exp_2', bytes: 1 }),
      },
    });
    const skipped = run.events.filter(({ type }) => type === 'rollback_skipped');
    expect(skipped.map(({ data }) => data.reason)).toEqual(['checkpoint not found']);
    expect(typesOf(run)).not.toContain('rollback_performed');
    expect(lastOrder(run, 3)?.error?.message).toBe('broken');
    expect(run.state.status).toBe('completed');
  });

  it('D34 without any checkpoint, the reason is recorded and the agent still runs', async () => {
    const events: NewRunEvent[] = [];
    const ports = {
      checkpoints: new MemoryCheckpoints(),
      manuscripts: memoryManuscripts('ses_1').port,
      emit: (event: NewRunEvent) => void events.push(event),
    } as Partial<DocumentPorts> as DocumentPorts;
    const state = buildInitialState('ses_1', ['a.md'], ['a.md']);
    const update = await errorHandler(ports)(state, {
      metadata: { langgraph_checkpoint_ns: 'error_handler:1' },
    });
    expect(events).toMatchObject([
      { type: 'rollback_skipped', data: { checkpoint_id: null, reason: 'no checkpoint yet' } },
    ]);
    expect(nextNode('error_handler', { ...state, ...(update as Partial<DocumentState>) })).toBe('agent');
    expect(update).toMatchObject({ work_order_due: true, conversion_attempts: 1, retry_count: 1 });
  });
});
