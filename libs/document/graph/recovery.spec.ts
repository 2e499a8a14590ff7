import { syntheticIssue } from '#contracts/manuscript.js';
import { failedTask } from '#testing/default-tasks.js';
import { runDocument } from '#testing/graph-harness.js';
import { callTools, say, scriptedModel } from '#testing/scripted-model.js';
import { INPUTS, CHAPTERS, read, append, finish, WRITE_FIRST, lastOrder } from '#testing/two-chapters.js';
import { AIMessage } from '@langchain/core/messages';

describe('fixing a chapter', () => {
  const BAD = append('# Log\n\n```log\nERROR 1 dawn\n```\n');
  const again = () => callTools(finish);
  const bad = callTools(read('app.log'), BAD, finish);

  async function untilDecision(action: 'accept' | 'retry' | 'abort', then: AIMessage[] = [say('done')]) {
    return runDocument({
      inputs: { 'app.log': INPUTS['app.log'] },
      model: scriptedModel([bad, again(), again(), again(), ...then]),
      answers: { human_input: () => ({ ok: true, output: { action }, answered: ANSWERED }) },
      settings: { maxAgentSteps: 12 },
    });
  }

  /** Result of a validation that could not run. */
  const UNPROVEN = {
    validation_passed: false,
    coverage: null,
    coverage_report: null,
    ledger_path: null,
    fixed_manuscript: null,
  };
  const ANSWERED = { decision_id: 'tsk_1', by: 'key_1', at: '2026-11-22T10:00:00.000Z' };
  const TRIES = ['agent', 'tools', 'validate_md'];
  const UP_TO_DECISION = ['scan_assets', ...TRIES, ...TRIES, ...TRIES, ...TRIES, 'fix_decision'];

  it('D23 after three attempts, a person sees the issues and decides; the default aborts and keeps the manuscript', async () => {
    const run = await untilDecision('abort');
    expect(run.path).toEqual(UP_TO_DECISION);
    const orders = [1, 2, 3].map((call) => lastOrder(run, call)?.fix_attempts);
    expect(orders).toEqual([1, 2, 3]);
    const { request } = run.tasks.at(-1)!;
    expect(request.input).toMatchObject({
      decision_type: 'fix_exhausted',
      default_answer: { action: 'abort' },
    });
    expect(JSON.stringify(request.input)).toContain(
      'SCR-verbatim Line 4 of the manuscript differs from app.log line 1',
    );
    expect(run.state).toMatchObject({ status: 'failed', error_type: 'validation_failed', fix_attempts: 3 });
    expect(run.manuscript).toContain('ERROR 1 dawn');
    expect(run.checkpoints.some(({ validated }) => validated)).toBe(false);
  });

  it('D23 accept: the chapter is checkpointed, its issues are not raised again, the export states the coverage', async () => {
    const run = await untilDecision('accept');
    expect(run.path.slice(0, 15)).toEqual([...UP_TO_DECISION, 'checkpoint']);
    expect(run.state).toMatchObject({ status: 'completed', coverage: 0, fix_attempts: 0 });
    expect(run.state.accepted_issues.length).toBeGreaterThan(0);
    const convert = run.tasks.find(({ request }) => request.task === 'convert');
    expect(convert?.request.input).toMatchObject({ coverage: 0 });
    const [acceptance, ...others] = run.state.acceptances;
    expect(others).toEqual([]);
    expect(acceptance).toMatchObject({
      ...ANSWERED,
      coverage: 0,
      issue_count: run.state.accepted_issues.length,
    });
    expect(acceptance!.issues.join('\n')).toContain('SCR-verbatim Line 4 of the manuscript differs');
    expect(convert?.request.input).toMatchObject({ acceptances: [acceptance] });
    const { request } = run.tasks.find((task) => task.request.task === 'human_input')!;
    expect(request.input).toMatchObject({
      context: expect.arrayContaining([expect.stringMatching(/^app\.log: not carried: 2 of 2 line/)]),
    });
  });

  it('D23 retry: three more attempts with the same issues', async () => {
    const run = await untilDecision('retry', [
      callTools(
        ['edit_markdown_line', { line_number: 4, new_content: 'ERROR 1 down\nERROR 2 still down' }],
        finish,
      ),
      say('done'),
    ]);
    expect(lastOrder(run, 4)).toMatchObject({ validation: 'failed', fix_attempts: 0 });
    expect(lastOrder(run, 4)?.issues.length).toBeGreaterThan(0);
    expect(run.state).toMatchObject({ status: 'completed', coverage: 1, fix_attempts: 0 });
  });

  it('D23 a successful validation resets the counter, so that the next chapter has three attempts again', async () => {
    const mended = [
      'edit_markdown_line',
      { line_number: 4, new_content: 'ERROR 1 down\nERROR 2 still down' },
    ] as const;
    const run = await runDocument({
      inputs: { 'app.log': INPUTS['app.log'], 'z.log': 'z\n' },
      model: scriptedModel([
        bad,
        again(),
        callTools([...mended], finish),
        callTools(read('z.log'), append('# Z\n\n```log\ny\n```\n'), finish),
        callTools(finish),
        callTools(finish),
        callTools(finish),
      ]),
    });
    const attempts = run.prompts.map((_, call) => lastOrder(run, call)?.fix_attempts);
    expect(attempts).toEqual([0, 1, 2, 0, 1, 2, 3]);
    expect(run.state).toMatchObject({ status: 'failed', error_type: 'validation_failed' });
    expect(run.checkpoints.filter(({ validated }) => validated).map(({ label }) => label)).toEqual([
      'chapter_1',
    ]);
  });

  it('D28 a validation that cannot run fails with one synthetic issue', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: scriptedModel([WRITE_FIRST, say('done')]),
      answers: { validate_md: () => failedTask('crashed', 'The validator crashed') },
    });
    expect(lastOrder(run, 1)?.issues).toMatchObject([
      { rule: 'SCR-validation', message: 'The validator crashed' },
    ]);
    expect(run.path.at(-1)).toBe('fix_decision');
  });

  it.each(['task_failed', 'task_timeout', 'unknown_task'])(
    'D28 ends with %s when the validation itself failed, and does not blame the text',
    async (code) => {
      const run = await runDocument({
        inputs: INPUTS,
        model: scriptedModel([WRITE_FIRST, say('done')]),
        answers: { validate_md: () => failedTask(code, 'The validation did not succeed.') },
      });
      expect(run.state).toMatchObject({
        status: 'failed',
        error_type: code,
        last_error: 'The validation did not succeed.',
        validation_issues: [],
        fix_attempts: 0,
      });
      expect(run.path.at(-1)).toBe('validate_md');
      expect(run.events.filter(({ type }) => type === 'validation_ran')).toEqual([]);
    },
  );

  it('D23 D26 names the largest source to the person who decides about a validation that takes too long', async () => {
    const issue = syntheticIssue('Validation timeout', 'The source with the most text is app.log (7 bytes).');
    const run = await runDocument({
      inputs: INPUTS,
      model: scriptedModel([WRITE_FIRST, say('done'), say('done'), say('done'), say('done')]),
      answers: { validate_md: () => ({ ok: true, output: { ...UNPROVEN, validation_issues: [issue] } }) },
    });
    expect(run.tasks.at(-1)!.request.input).toMatchObject({
      decision_type: 'fix_exhausted',
      context: ['SCR-validation Validation timeout: The source with the most text is app.log (7 bytes).'],
    });
  });

  it('D29 logs every validation with its verdict and number of issues', async () => {
    const run = await untilDecision('abort');
    const logged = run.events.filter(({ type }) => type === 'validation_ran');
    expect(logged.map(({ data }) => data.passed)).toEqual([false, false, false, false]);
    expect(logged[0]?.data).toMatchObject({ issue_count: run.state.validation_issues.length });
  });

  it('X1 a rollback to the validated text after a failed validation is validated again, so that its coverage is exact', async () => {
    const checkpointId = '20260102_030405_chapter_1.md';
    const run = await runDocument({
      inputs: { 'app.log': INPUTS['app.log'] },
      model: scriptedModel([
        callTools(read('app.log'), append(CHAPTERS[1]!), finish),
        callTools(append('Invented 17 times.\n\n```log\nERROR 1 down\n```\n'), finish),
        callTools(['rollback_to_checkpoint', { checkpoint_id: checkpointId }]),
        say('done'),
      ]),
    });
    const verdicts = run.events
      .filter(({ type }) => type === 'validation_ran')
      .map(({ data }) => data.passed);
    expect(verdicts).toEqual([true, false, true]);
    const convert = run.tasks.find(({ request }) => request.task === 'convert');
    expect(convert?.request.input).toMatchObject({
      coverage: 1,
      ledger_path: `ledger/${run.state.temp_md_path}`,
    });
    expect(run.manuscript).toBe(CHAPTERS[1]);
  });
});
