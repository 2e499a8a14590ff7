import type { PlanParameter } from '../contract/parameters.js';
import type { PlanTask } from '../contract/values.js';

const functions = ['sum', 'average', 'count', 'min', 'max'];

/** Parameters of the templates; their labels are the phrases `plan_template.parameter.*`. */
const file = { name: 'file', kind: 'file' } as const;
const otherFile = { name: 'other_file', kind: 'file' } as const;
const column = { name: 'column', kind: 'text' } as const;
const groupBy = { name: 'group_by', kind: 'text' } as const;
const measure = { name: 'function', kind: 'choice', choices: functions, default: 'sum' } as const;

/** A plan that the product ships, in the form of a saved plan. */
interface PlanTemplate {
  name: string;
  parameters: readonly PlanParameter[];
  tasks: readonly PlanTask[];
}

const of = ({ name }: PlanParameter) => ({ $parameter: name });
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
    parameters: [file, column, groupBy, measure],
    tasks: [
      task('read', 'read_input', { name: of(file) }),
      task('parse', 'parse_csv', { text: from('read', '/text') }),
      task('total', 'aggregate', {
        rows: from('parse', '/rows'),
        measures: [{ column: of(column), function: of(measure) }],
        group_by: [of(groupBy)],
      }),
      task('save', 'write_file', { name: 'totals.csv', content: from('total', '/rows') }),
    ],
  },
  {
    name: 'join_tables',
    parameters: [file, otherFile, column],
    tasks: [
      task('read', 'read_input', { name: of(file) }),
      task('read_other', 'read_input', { name: of(otherFile) }),
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
    parameters: [file],
    tasks: [
      task('extract', 'extract_text', { name: of(file) }),
      task('save', 'write_file', { name: 'text.md', content: from('extract', '/text') }),
    ],
  },
] as const satisfies readonly PlanTemplate[];
export type KnownTemplate = (typeof planTemplates)[number];
type KnownParameter = PlanParameter & Pick<KnownTemplate['parameters'][number], 'name'>;

/** Returns the parameters of a template. */
export const parametersOf = (template: KnownTemplate): readonly KnownParameter[] => template.parameters;

/** Returns a template by its name. */
export const findTemplate = (name: string): KnownTemplate | undefined =>
  planTemplates.find((each) => each.name === name);
