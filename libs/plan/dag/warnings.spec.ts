import type { PlanState } from '../graph/state.js';
import { warningsOf } from './warnings.js';

type State = Parameters<typeof warningsOf>[0];

const task = (id: string, tool: string, args: object = {}) =>
  ({ id, tool, arguments: args, depends_on: [] }) as unknown as PlanState['tasks'][number];
const result = (id: string, tool: string, status = 'completed') =>
  ({ task_id: id, tool, status, layer: 0 }) as unknown as PlanState['results'][number];
const codes = (state: Partial<State>) =>
  warningsOf({
    status: 'completed',
    given_up: [],
    tasks: [],
    results: [],
    with_side_effects: ['b'],
    ...state,
  }).map(({ code, task_id: id }) => [code, id]);

describe('warnings about a plan', () => {
  it.each([
    ['send_mail', {}, []],
    ['http_request', { method: 'POST' }, []],
    ['http_request', { method: 'GET' }, [['no_files', null]]],
    ['query_tables', {}, [['no_files', null]]],
    ['map', { tool: 'send_mail' }, []],
    ['map', { tool: 'http_request', arguments: { method: 'GET' } }, [['no_files', null]]],
    ['fetch_url', {}, [['no_files', null]]],
    ['crm/list', {}, [['no_files', null]]],
  ])('of success without a file after %s %j', (tool, args, expected) => {
    expect(codes({ tasks: [task('a', tool, args)], results: [result('a', tool)] })).toEqual(expected);
  });

  it('none after a tool of a server with side effects', () => {
    expect(codes({ tasks: [task('b', 'crm/add')], results: [result('b', 'crm/add')] })).toEqual([]);
  });

  it('name a mail that was not sent although the plan went another way', () => {
    const results = [result('send', 'send_mail', 'failed'), result('file', 'write_file')];
    expect(codes({ tasks: [task('file', 'write_file')], results })).toEqual([['task_failed', 'send']]);
  });
});
