import { runDocument } from '#testing/graph-harness.js';
import { callMalformed, callTools, say, scriptedModel } from '#testing/scripted-model.js';
import {
  INPUTS,
  CHAPTERS,
  read,
  append,
  finish,
  WRITE_FIRST,
  WRITE_SECOND,
  writer,
  ordersIn,
  lastOrder,
} from '#testing/two-chapters.js';
import { AIMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';

describe('the agent', () => {
  it('D16 makes exactly one model call per visit', async () => {
    const run = await runDocument({ inputs: INPUTS, model: writer });
    expect(run.prompts).toHaveLength(run.path.filter((node) => node === 'agent').length);
    expect(run.state.agent_steps).toBe(run.prompts.length);
  });

  it('D16 gets each issue of a failed validation in the work order, with its line number and source', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: scriptedModel([
        callTools(read('app.log'), append('# Log\n\n### Deep\n\n```log\nERROR 1 dawn\n```\n'), finish),
        say('done'),
      ]),
      settings: { maxAgentSteps: 2 },
    });
    const order = lastOrder(run, 1);
    expect(order).toMatchObject({ validation: 'failed', fix_attempts: 1, current_file: 'notes.md' });
    expect(order?.issues.map(({ rule, line_number }) => [rule, line_number])).toEqual(
      expect.arrayContaining([['SCR-heading-level', 3]]),
    );
    expect(order?.issues).toContainEqual(
      expect.objectContaining({
        rule: 'SCR-verbatim',
        line_number: 6,
        source_file: 'app.log',
        source_line: 1,
      }),
    );
    expect(order?.issues).toContainEqual(
      expect.objectContaining({ rule: 'SCR-missing', source_file: 'app.log', source_line: 2 }),
    );
  });

  it('D17 keeps the work order while older messages are dropped, also after a correction', async () => {
    const look = () => callTools(['list_files', {}]);
    const run = await runDocument({
      inputs: INPUTS,
      model: scriptedModel([
        look(),
        callMalformed('read_file'),
        look(),
        look(),
        look(),
        look(),
        look(),
        look(),
      ]),
      settings: { maxAgentSteps: 8 },
    });
    for (const messages of run.prompts) expect(ordersIn(messages)).toHaveLength(1);
    const last = run.prompts.at(-1) ?? [];
    expect(last.filter((message) => message instanceof AIMessage).length).toBeLessThanOrEqual(3);
    // A tool result without the call that it answers is refused by servers.
    const called = last.flatMap((message) =>
      message instanceof AIMessage ? (message.tool_calls ?? []) : [],
    );
    for (const message of last.filter((other) => other instanceof ToolMessage))
      expect(called.map(({ id }) => id)).toContain(message.tool_call_id);
  });

  it('D17 shows and saves one exchange of large pages, not three', async () => {
    const part = `${'0123456789abcdef '.repeat(9_000)}\n`;
    const text = part.repeat(8);
    const run = await runDocument({
      inputs: { 'large.log': text },
      settings: { maxAgentSteps: 6 },
      model: scriptedModel([
        callTools(read('large.log')),
        ...Array.from({ length: 5 }, (_, index) =>
          callTools(append(index === 0 ? `# Log\n\n\`\`\`log\n${part}` : part), read('large.log')),
        ),
      ]),
    });
    for (const messages of run.prompts) expect(ordersIn(messages)).toHaveLength(1);
    const answersIn = (messages: BaseMessage[]) =>
      messages.filter((message) => message instanceof AIMessage).length;
    expect(run.prompts.map(answersIn)).toEqual([0, 1, 2, 1, 1, 1]);
    expect(answersIn(run.state.messages)).toBe(1);
  });

  it('D17 drops the messages of a finished chapter', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: scriptedModel([WRITE_FIRST, WRITE_SECOND, say('done')]),
    });
    for (const call of [1, 2])
      expect(run.prompts[call]?.map(({ type }) => type)).toEqual(['system', 'human']);
    expect(lastOrder(run, 1)).toMatchObject({ chapter: 2, current_file: 'app.log', validation: 'due' });
  });

  it('D16 an answer with unreadable calls has its readable calls executed, and is corrected', async () => {
    const half = callTools(['list_files', {}]);
    const mixed = new AIMessage({
      content: '',
      tool_calls: half.tool_calls,
      invalid_tool_calls: callMalformed('append_to_markdown').invalid_tool_calls,
    });
    const run = await runDocument({
      inputs: INPUTS,
      model: scriptedModel([mixed, say('done')]),
      settings: { maxAgentSteps: 2 },
    });
    const [result, correction] = run.prompts[1]?.slice(-2) ?? [];
    expect(result).toBeInstanceOf(ToolMessage);
    expect(correction?.text).toMatch(
      /^Your tool call could not be read \(append_to_markdown: .*Send it again/,
    );
    expect(run.state.malformed_calls).toBe(0);
  });

  it('D25 the step limit ends a run that loops, with a clear error, and keeps the manuscript', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: scriptedModel([callTools(append(CHAPTERS[0]!)), callTools(['list_files', {}])]),
      settings: { maxAgentSteps: 5 },
    });
    expect(run.state).toMatchObject({ status: 'failed', error_type: 'step_limit', agent_steps: 5 });
    expect(run.state.last_error).toBe(
      'The agent did not finish within 5 model calls. The manuscript so far is saved.',
    );
    expect(run.manuscript).toBe(CHAPTERS[0]);
    expect(run.prompts).toHaveLength(5);
  });
});
