import type { PlanParameter } from '../contract/parameters.js';
import type { PlanTask } from '../contract/values.js';

const functions = ['sum', 'average', 'count', 'min', 'max'];
const charts = ['bar', 'line', 'pie'];
const formats = ['docx', 'pdf', 'epub'];

/** Parameters of the templates; their labels are the phrases `plan_template.parameter.*`. */
const file = { name: 'file', kind: 'file' } as const;
const otherFile = { name: 'other_file', kind: 'file' } as const;
const column = { name: 'column', kind: 'text' } as const;
const value = { name: 'value', kind: 'text' } as const;
const groupBy = { name: 'group_by', kind: 'text' } as const;
const files = { name: 'files', kind: 'files' } as const;
const chart = { name: 'chart', kind: 'choice', choices: charts, default: 'bar' } as const;
const format = { name: 'format', kind: 'choice', choices: formats, default: 'docx' } as const;
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

/** Tasks that read a table; its rows are the result `/rows` of the task `parse`. */
const table = [
  task('read', 'read_input', { name: of(file) }),
  task('parse', 'parse_csv', { text: from('read', '/text') }),
] as const;
/** Tasks that read a second table, the result of `parse_other`. */
const otherTable = [
  task('read_other', 'read_input', { name: of(otherFile) }),
  task('parse_other', 'parse_csv', { text: from('read_other', '/text') }),
] as const;
const query = (id: string, $sql: string, more: object = {}) =>
  task(id, 'query_tables', { tables: { first: from('parse', '/rows') }, sql: { $sql }, ...more });
const bothTables = { tables: { first: from('parse', '/rows'), second: from('parse_other', '/rows') } };
/** Task that writes the result `/rows` of a task as a CSV file. */
const saveRows = (name: string, of: string) =>
  task('save', 'write_file', { name, content: from(of, '/rows') });

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
      ...table,
      task('total', 'aggregate', {
        rows: from('parse', '/rows'),
        measures: [{ column: of(column), function: of(measure) }],
        group_by: [of(groupBy)],
      }),
      saveRows('totals.csv', 'total'),
    ],
  },
  {
    name: 'chart_by_group',
    parameters: [file, column, groupBy, measure, chart],
    tasks: [
      ...table,
      task('total', 'aggregate', {
        rows: from('parse', '/rows'),
        measures: [{ column: of(column), function: of(measure), as: 'total' }],
        group_by: [of(groupBy)],
      }),
      saveRows('totals.csv', 'total'),
      task('drawable', 'branch', { data: from('total', ''), condition: '$count(rows) > 0' }),
      {
        ...task('draw', 'draw_chart', {
          rows: from('total', '/rows'),
          kind: of(chart),
          label: of(groupBy),
          values: ['total'],
        }),
        when: from('drawable', '/then'),
      },
      task('picture', 'write_file', { name: 'chart.svg', content: from('draw', '/svg') }),
    ],
  },
  {
    name: 'sort_rows',
    parameters: [file, column],
    tasks: [
      ...table,
      query('sort', 'SELECT * FROM first ORDER BY {column} DESC NULLS LAST'),
      saveRows('sorted.csv', 'sort'),
    ],
  },
  {
    name: 'filter_rows',
    parameters: [file, column, value],
    tasks: [
      ...table,
      // Compares what is written: the value 31.12.2026 is a text, and the column one of dates.
      task('find', 'transform_json', {
        data: { rows: from('parse', '/rows'), column: of(column), value: of(value) },
        expression: '[rows#$position[$lookup($, $$.column) = $$.value].{"position": $position}]',
      }),
      query(
        'filter',
        'SELECT * FROM first WHERE {column} IS NOT NULL AND first.rowid IN (SELECT position FROM found) ORDER BY first.rowid',
        { tables: { first: from('parse', '/rows'), found: from('find', '/data') } },
      ),
      saveRows('filtered.csv', 'filter'),
    ],
  },
  {
    name: 'remove_duplicates',
    parameters: [file, column],
    tasks: [
      ...table,
      query(
        'unique',
        'SELECT * FROM first WHERE rowid IN (SELECT min(rowid) FROM first GROUP BY {column}) ORDER BY first.rowid',
      ),
      saveRows('unique.csv', 'unique'),
    ],
  },
  {
    name: 'join_tables',
    parameters: [file, otherFile, column],
    tasks: [
      ...table,
      ...otherTable,
      query('join', 'SELECT * FROM first LEFT JOIN second USING ({column}) ORDER BY first.rowid', bothTables),
      saveRows('joined.csv', 'join'),
    ],
  },
  {
    name: 'missing_rows',
    parameters: [file, otherFile, column],
    tasks: [
      ...table,
      ...otherTable,
      query(
        'compare',
        'SELECT first.* FROM first ANTI JOIN second USING ({column}) ORDER BY first.rowid',
        bothTables,
      ),
      saveRows('missing.csv', 'compare'),
    ],
  },
  {
    name: 'merge_tables',
    parameters: [files],
    tasks: [
      task('read', 'map', {
        items: of(files),
        tool: 'read_input',
        arguments: { name: { $item: '' } },
        on_error: 'fail',
      }),
      task('parse', 'map', {
        items: from('read', '/results'),
        tool: 'parse_csv',
        arguments: { text: { $item: '/text' } },
        on_error: 'fail',
      }),
      task('merge', 'transform_json', {
        data: from('parse', '/results'),
        expression: '{"rows": [$.rows], "columns": [$distinct($.columns)]}',
      }),
      task('save', 'write_file', { name: 'merged.csv', content: from('merge', '/data/rows') }),
    ],
  },
  {
    name: 'compare_texts',
    parameters: [file, otherFile],
    tasks: [
      task('read', 'read_input', { name: of(file) }),
      task('read_other', 'read_input', { name: of(otherFile) }),
      task('compare', 'diff_texts', { before: from('read', '/text'), after: from('read_other', '/text') }),
      task('save', 'write_file', { name: 'differences.json', content: from('compare', '') }),
    ],
  },
  {
    name: 'convert_text',
    parameters: [file, format],
    tasks: [
      task('extract', 'read_input', { name: of(file) }),
      task('save', 'write_file', { name: { $text: 'document.{format}' }, content: from('extract', '/text') }),
    ],
  },
  {
    name: 'extract_text',
    parameters: [file],
    tasks: [
      task('extract', 'read_input', { name: of(file) }),
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
