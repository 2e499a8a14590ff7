import type { DecisionRequest } from '#contracts/decision-request.js';
import type { PlanPause, PlanTaskResult } from '../contract/values.js';
import { planFacts } from '../facts.js';
import { withResolvedArguments } from './results.js';

const pauseFor = (args: Record<string, unknown>): PlanPause => ({
  checkpoint_id: 'hil-1',
  completed_layer: 1,
  completed: ['draft'],
  results: [],
  next_layer: [{ task_id: 'file', tool: 'write_file', arguments: args, side_effects: false, missing: [] }],
  options: ['approve', 'reject'],
});
const content = { $from: 'draft', path: '/text' };
const shownFor = async (args: Record<string, unknown>, text: string) => {
  const result = {
    task_id: 'draft',
    result: null,
    result_key: 'results/draft',
    bytes: text.length,
  } as unknown as PlanTaskResult;
  const ports = { result: () => Promise.resolve({ text, short: 'x' }) };
  const { next_layer } = await withResolvedArguments(pauseFor(args), new Map([['draft', result]]), ports);
  return next_layer[0]!.resolved;
};

type Resolve = (
  answer: Record<string, unknown>,
  request: DecisionRequest,
  context: { tenantId: string },
) => Promise<unknown>;

describe('the arguments that an approval shows', () => {
  it('P5 are in full what will be written', async () => {
    const text = 'A line of the draft.\n'.repeat(2_000);
    expect(await shownFor({ name: 'a.md', content }, text)).toEqual({ name: 'a.md', content: text });
  });

  it('P5 list the calls of a map with side effects, without secrets, with null for an item that lacks a value', async () => {
    const items = [{ to: 'a' }, { to: 'password: hunter2' }, {}];
    const given = { items, tool: 'http_request', arguments: { method: 'POST', body: { $item: '/to' } } };
    const shown = async (args: Record<string, unknown>, hasEffects = true) => {
      const pause = pauseFor(args);
      const [task] = pause.next_layer;
      const next_layer = [{ ...task!, tool: 'map', side_effects: hasEffects }];
      const ports = { result: () => Promise.resolve(null) };
      return (await withResolvedArguments({ ...pause, next_layer }, new Map(), ports)).next_layer[0]!.calls;
    };
    const call = (body: string) => ({ method: 'POST', body });
    expect(await shown(given)).toEqual([call('a'), call('password: [removed]'), null]);
    expect(await shown(given, false)).toBeUndefined();
    expect(await shown({ ...given, items: Array(5_000).fill({ to: 'x'.repeat(40) }) })).toBeUndefined();
  });

  it('P5 have the default of a value that is missing', async () => {
    const missing = { $from: 'other', path: '/text', default: { ...content, default: 'none' } };
    expect(
      await shownFor({ content: missing, name: { $from: 'x', path: '', default: 'a.md' } }, 'b'),
    ).toEqual({ content: 'b', name: 'a.md' });
  });

  it('P5 show no secrets', async () => {
    expect(await shownFor({ content }, 'password: hunter2')).toEqual({ content: 'password: [removed]' });
  });

  it.each([
    ['no result is used', { name: 'a.md', content: 'short' }, 'text'],
    ['a value is missing', { content: { $from: 'draft', path: '/other' } }, 'text'],
    [
      'the result is too large to be read',
      { content: { $from: 'draft', path: '/short' } },
      'x'.repeat(2_000_001),
    ],
    [
      'the result is too large to be read, also with a default',
      { content: { ...content, default: 'none' } },
      'x'.repeat(2_000_001),
    ],
    ['the text is too long', { content }, 'x'.repeat(200_000)],
    ['a long text is used many times', { parts: Array(1_000).fill(content) }, 'x'.repeat(1_000)],
  ])('P5 are the planned ones if %s', async (_, args, text) => {
    expect(await shownFor(args, text)).toBeUndefined();
  });

  it('P5 P6 refuse an edit that is too large for a plan, and keep the question open', async () => {
    const answer = { approved: true, arguments: { file: { content: 'x'.repeat(64_000) } } };
    const { resolve } = planFacts.answerResolvers!['plan_approval'] as { resolve: Resolve };
    const request = { details: pauseFor({ content }) } as unknown as DecisionRequest;
    await expect(resolve(answer, request, { tenantId: 'a' })).rejects.toMatchObject({
      code: 'invalid_answer',
      errors: [expect.objectContaining({ path: 'arguments.file' })],
    });
    const extension = { approved: true, arguments: { file: { name: 'letter' } } };
    await expect(resolve(extension, request, { tenantId: 'a' })).rejects.toMatchObject({
      code: 'invalid_answer',
      errors: [{ path: 'arguments.file', message: expect.stringContaining('must end with') as string }],
    });
  });
});
