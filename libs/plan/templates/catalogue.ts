import type { PlanTask } from '../contract/values.js';

const functions = ['sum', 'average', 'count', 'min', 'max'];

/** Parameters of the templates. */
const parameters = {
  file: { kind: 'file' },
  other_file: { kind: 'file' },
  column: { kind: 'text' },
  group_by: { kind: 'text' },
  function: { kind: 'choice', choices: functions, default: 'sum' },
} as const satisfies Record<string, { kind: string; choices?: string[]; default?: string }>;
export type ParameterName = keyof typeof parameters;

/** A parameter of a template: the name of an input file, a text such as the name of a column, or one of its choices. */
export interface TemplateParameter {
  name: ParameterName;
  kind: 'file' | 'text' | 'choice';
  choices?: readonly string[];
  default?: string;
}

/**
 * A plan with parameters. In the arguments of its tasks, `{$parameter}` is the value of a parameter, and `{$sql}` a
 * statement in which `{name}` is the value as a quoted identifier.
 */
interface PlanTemplate {
  name: string;
  parameters: readonly ParameterName[];
  tasks: readonly PlanTask[];
}

const of = (name: ParameterName) => ({ $parameter: name });
const from = ($from: string, path: string) => ({ $from, path });
const task = (id: string, tool: string, args: Record<string, unknown>): PlanTask => ({
  id,
  tool,
  arguments: args,
  depends_on: [],
});

/** Plans that run as they are, without a model. Their texts are the phrases `plan_template.*`. */
export const planTemplates = [
  {
    name: 'list_files',
    parameters: [],
    tasks: [
      task('list', 'list_inputs', {}),
      task('save', 'write_file', { name: 'files.csv', content: from('list', '/files') }),
    ],
  },
  {
    name: 'total_by_group',
    parameters: ['file', 'column', 'group_by', 'function'],
    tasks: [
      task('read', 'read_input', { name: of('file') }),
      task('parse', 'parse_csv', { text: from('read', '/text') }),
      task('total', 'aggregate', {
        rows: from('parse', '/rows'),
        measures: [{ column: of('column'), function: of('function') }],
        group_by: [of('group_by')],
      }),
      task('save', 'write_file', { name: 'totals.csv', content: from('total', '/rows') }),
    ],
  },
  {
    name: 'join_tables',
    parameters: ['file', 'other_file', 'column'],
    tasks: [
      task('read', 'read_input', { name: of('file') }),
      task('read_other', 'read_input', { name: of('other_file') }),
      task('parse', 'parse_csv', { text: from('read', '/text') }),
      task('parse_other', 'parse_csv', { text: from('read_other', '/text') }),
      task('join', 'query_tables', {
        tables: { first: from('parse', '/rows'), second: from('parse_other', '/rows') },
        sql: { $sql: 'SELECT * FROM first LEFT JOIN second USING ({column}) ORDER BY first.rowid' },
      }),
      task('save', 'write_file', { name: 'joined.csv', content: from('join', '/rows') }),
    ],
  },
  {
    name: 'extract_text',
    parameters: ['file'],
    tasks: [
      task('extract', 'extract_text', { name: of('file') }),
      task('save', 'write_file', { name: 'text.md', content: from('extract', '/text') }),
    ],
  },
] as const satisfies readonly PlanTemplate[];
export type KnownTemplate = (typeof planTemplates)[number];

/** Returns the parameters of a template with what they accept. */
export const parametersOf = (template: KnownTemplate): TemplateParameter[] =>
  template.parameters.map((name) => ({ name, ...parameters[name] }));
