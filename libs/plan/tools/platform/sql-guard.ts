import { phrase } from '#contracts/phrases/phrase.js';
import { ToolCallError } from '../tool.js';
import { NUMBER_FORM } from './columns.js';

/** A node of a query's syntax tree or plan, as DuckDB serializes it. */
export type SyntaxNode = Record<string, unknown>;

/** Prefix of the messages with which the macros refuse a value. */
export const GUARD_ERROR = 'not a number: ';
/** Marks in a plan the texts that the query itself converts. */
const CONVERTED = '__converted';

/** The list evaluates its value once, also where macros are nested. */
const refuseText = (pattern: string) =>
  `list_transform([x], lambda y: CASE WHEN typeof(y) = 'VARCHAR' AND regexp_matches(CAST(y AS VARCHAR), '${pattern.replaceAll("'", "''")}') THEN error('${GUARD_ERROR}' || left(CAST(y AS VARCHAR), 60)) ELSE y END)[1]`;
const converted = (expression: string) => `CASE WHEN '${CONVERTED}' <> '' THEN ${expression} END`;

export const GUARD_MACROS = [
  // Sorted as texts, 9 kg would follow 12 kg.
  `CREATE MACRO __ordered(x) AS ${refuseText(NUMBER_FORM)}`,
  // 1.250 may be a thousand or a little more than one.
  `CREATE MACRO __ambiguous(x) AS ${converted(refuseText(String.raw`^\s*-?[1-9]\d{0,2}(\.\d{3})+\s*$`))}`,
  `CREATE MACRO __converted(x) AS ${converted('x')}`,
];

/** Table functions that only compute; others read files, run SQL, or show and change the state of the engine. */
const TABLE_FUNCTIONS = ['range', 'generate_series', 'unnest', 'json_each', 'json_tree'];
/** Nodes of a query, counted again where guarding repeats an expression. */
const MAX_NODES = 300_000;
/** Functions that compare their arguments, or one of them, by order. */
const ORDERING_FUNCTIONS = /^(?:min|max|greatest|least|median|quantile\w*|list_sort|list_(?:min|max))$/;
const ORDERED_BY_SECOND = /^(?:arg_?(?:min|max)\w*|(?:min|max)_by)$/;
const ORDERING = /^COMPARE_(?:LESSTHAN|GREATERTHAN)/;
const INTEGER = /^U?(?:TINY|SMALL|BIG|HUGE)INT$|^U?INTEGER$/;
const NUMBER = new RegExp(`${INTEGER.source}|^(?:DECIMAL|FLOAT|DOUBLE)$`);

const isNode = (value: unknown): value is SyntaxNode => typeof value === 'object' && value !== null;
const typeId = (type: unknown): string => (isNode(type) ? String(type['id']) : '');
const nameOf = (node: SyntaxNode): string =>
  node['class'] === 'COLUMN_REF' ? String((node['column_names'] as string[]).at(-1)) : '';

/** Calls `visit` with each node of a tree, parents first. */
export function forEachNode(tree: unknown, visit: (node: SyntaxNode) => void): void {
  if (!isNode(tree)) return;
  if (!Array.isArray(tree)) visit(tree);
  for (const child of Object.values(tree)) forEachNode(child, visit);
}

/** Returns the names of columns in a query, in lower case. */
export function columnsIn(tree: SyntaxNode): Set<string> {
  const names = new Set<string>();
  forEachNode(tree, (node) => {
    if (node['class'] === 'COLUMN_REF') names.add(nameOf(node).toLowerCase());
    for (const name of (node['using_columns'] as string[] | undefined) ?? []) names.add(name.toLowerCase());
  });
  return names;
}

/**
 * Changes a query so that it refuses to order texts that look like numbers, and converts texts to numbers without
 * guessing. `COLLATE` sorts any texts.
 *
 * @throws ToolCallError if an ORDER BY names a column by a number that only the tables know
 */
export function guardQuery(tree: SyntaxNode): void {
  // Parents first: ORDER BY is resolved before the expressions that it copies are changed.
  const nodes: SyntaxNode[] = [];
  const count = nodeCounter();
  forEachNode(tree, (node) => {
    count();
    if (node['type'] === 'TABLE_FUNCTION') allowFunction(node['function'] as SyntaxNode);
    if (node['type'] === 'SET_OPERATION_NODE') selectFrom(node);
    if (node['type'] === 'SELECT_NODE') resolveOrders(node);
  });
  forEachNode(tree, (node) => nodes.push(node));
  for (const node of nodes.reverse()) guardNode(node);
  forEachNode(tree, nodeCounter());
}

/** Returns a function that throws when it is called more often than a query may have nodes. */
function nodeCounter(): () => void {
  let count = 0;
  return () => {
    count += 1;
    if (count > MAX_NODES) throw new ToolCallError('invalid_sql', phrase('tool_error.sql_too_complex'));
  };
}

function allowFunction(node: SyntaxNode): void {
  const name = String(node['function_name']);
  const known = TABLE_FUNCTIONS.join(', ');
  if (!TABLE_FUNCTIONS.includes(name.toLowerCase()))
    throw new ToolCallError('invalid_sql', phrase('tool_error.sql_table_function', { name, known }));
}

function guardNode(node: SyntaxNode): void {
  const wrap = (key: string) => {
    node[key] = ordered(node[key] as SyntaxNode);
  };
  if (Array.isArray(node['orders']))
    for (const order of node['orders'] as SyntaxNode[])
      order['expression'] = ordered(order['expression'] as SyntaxNode);
  if (node['class'] === 'COMPARISON' && ORDERING.test(String(node['type']))) ['left', 'right'].forEach(wrap);
  if (node['class'] === 'COMPARISON' && node['type'] === 'COMPARE_EQUAL') equalToEmpty(node);
  if (node['class'] === 'BETWEEN') ['input', 'lower', 'upper'].forEach(wrap);
  if (node['class'] === 'SUBQUERY' && ORDERING.test(String(node['comparison_type']))) wrap('child');
  if (node['class'] === 'FUNCTION' || node['class'] === 'WINDOW') guardFunction(node);
  if (node['class'] === 'OPERATOR' && /^COMPARE_(?:NOT_)?IN$/.test(String(node['type']))) compareEach(node);
  if (node['class'] === 'CAST') guardCast(node);
}

function guardFunction(node: SyntaxNode): void {
  const name = String(node['function_name']).toLowerCase();
  const children = node['children'] as SyntaxNode[];
  if (ORDERING_FUNCTIONS.test(name)) node['children'] = children.map(ordered);
  if (ORDERED_BY_SECOND.test(name))
    node['children'] = children.map((child, index) => (index === 1 ? ordered(child) : child));
  // What a DISTINCT aggregate sorts by must be among its arguments.
  const { orders = [] } = (node['order_bys'] ?? {}) as { orders?: SyntaxNode[] };
  const sorted = new Set(orders.map(({ expression }) => JSON.stringify(expression)));
  if (node['distinct'])
    node['children'] = (node['children'] as SyntaxNode[]).map((child) =>
      sorted.has(JSON.stringify(ordered(child))) ? ordered(child) : child,
    );
}

const ordered = (node: SyntaxNode): SyntaxNode =>
  ['CONSTANT', 'COLLATE'].includes(String(node['class'])) ? node : call('__ordered', node);

/** Empty cells are NULL: `a = ''` selects them, too. */
function equalToEmpty(node: SyntaxNode): void {
  const isEmpty = (side: unknown) =>
    isNode(side) && side['class'] === 'CONSTANT' && (side['value'] as SyntaxNode)['value'] === '';
  for (const [side, other] of [
    ['left', 'right'],
    ['right', 'left'],
  ] as const)
    if (isEmpty(node[side]) && !isEmpty(node[other])) {
      const children = [node[other], structuredClone(node[side])];
      node[other] = { class: 'OPERATOR', type: 'OPERATOR_COALESCE', alias: '', children };
    }
}

/** `a IN (1, 2)` would compare numbers as texts. */
function compareEach(node: SyntaxNode): void {
  const [left, ...values] = node['children'] as SyntaxNode[];
  const isIn = node['type'] === 'COMPARE_IN';
  node['class'] = 'CONJUNCTION';
  node['type'] = isIn ? 'CONJUNCTION_OR' : 'CONJUNCTION_AND';
  const type = isIn ? 'COMPARE_EQUAL' : 'COMPARE_NOTEQUAL';
  const comparisons = values.map((right) => ({ class: 'COMPARISON', type, alias: '', left, right }));
  node['children'] = comparisons.length > 1 ? comparisons : [...comparisons, ...comparisons];
}

/**
 * A conversion to an integer removes decimals, as in SQLite, instead of rounding; `REAL` has eight bytes, and
 * `NUMERIC` without digits keeps all decimals.
 */
function guardCast(node: SyntaxNode): void {
  const id = typeId(node['cast_type']);
  if (!NUMBER.test(id)) return;
  const child = node['child'] as SyntaxNode;
  node['child'] = call(child['class'] === 'COLUMN_REF' ? '__ambiguous' : '__converted', child);
  const info = (node['cast_type'] as SyntaxNode)['type_info'] as SyntaxNode | null;
  if (id === 'FLOAT' || (id === 'DECIMAL' && info?.['width'] === 18 && info['scale'] === 3))
    node['cast_type'] = { id: 'DOUBLE', type_info: null };
  if (!INTEGER.test(id)) return;
  const exact = { type: 'DECIMAL_TYPE_INFO', alias: '', extension_info: null, width: 38, scale: 9 };
  node['child'] = call('trunc', { ...node, alias: '', cast_type: { id: 'DECIMAL', type_info: exact } });
}

/** Moves the ORDER BY of a UNION to a SELECT from it: a UNION sorts only by names. */
function selectFrom(node: SyntaxNode): void {
  const modifiers = node['modifiers'] as SyntaxNode[];
  if (modifiers.length === 0) return;
  for (const order of ordersOf(node)) {
    const index = positionOf(order['expression'] as SyntaxNode);
    if (index !== undefined) order['expression'] = columnAt(index);
  }
  const inner = { ...node, modifiers: [] };
  for (const key of Object.keys(node)) delete node[key];
  const subquery = { node: inner, named_param_map: [] };
  Object.assign(node, {
    type: 'SELECT_NODE',
    modifiers,
    cte_map: { map: [] },
    select_list: [star()],
    from_table: { type: 'SUBQUERY', alias: 'united', sample: null, subquery, column_name_alias: [] },
    where_clause: null,
    group_expressions: [],
    group_sets: [],
    aggregate_handling: 'STANDARD_HANDLING',
    having: null,
    sample: null,
    qualify: null,
  });
}

/** Replaces numbers and aliases in the ORDER BY of a SELECT by the expressions that they mean. */
function resolveOrders(node: SyntaxNode): void {
  const list = node['select_list'] as SyntaxNode[];
  for (const order of ordersOf(node)) {
    const expression = order['expression'] as SyntaxNode;
    const names = (expression['column_names'] as string[] | undefined) ?? [];
    const isAlias = ({ alias }: SyntaxNode) =>
      names.length === 1 && String(alias).toLowerCase() === names[0]!.toLowerCase();
    const item = itemAt(expression, list) ?? list.find(isAlias);
    if (item) order['expression'] = { ...structuredClone(item), alias: '' };
  }
}

const ordersOf = (node: SyntaxNode): SyntaxNode[] =>
  (node['modifiers'] as SyntaxNode[]).flatMap(({ orders }) => (orders ?? []) as SyntaxNode[]);

/** Returns the position of a column that `ORDER BY 2` means; undefined for other expressions. @throws ToolCallError */
function positionOf(expression: SyntaxNode): number | undefined {
  if (expression['class'] !== 'CONSTANT' && expression['class'] !== 'STAR') return undefined;
  const position = Number((expression['value'] as SyntaxNode | undefined)?.['value']);
  if (!(position >= 1)) throw new ToolCallError('invalid_sql', phrase('tool_error.sql_order_by'));
  return position;
}

/** Returns the item of a SELECT list at a position. @throws ToolCallError if only the tables know it */
function itemAt(expression: SyntaxNode, list: SyntaxNode[]): SyntaxNode | undefined {
  const position = positionOf(expression);
  if (position === undefined) return undefined;
  const item = list[position - 1];
  if (!item || list.slice(0, position).some((each) => each['class'] === 'STAR'))
    throw new ToolCallError('invalid_sql', phrase('tool_error.sql_order_by'));
  return item;
}

/** A macro does not accept a position, but an expression with one. */
const columnAt = (index: number): SyntaxNode => ({
  class: 'OPERATOR',
  type: 'OPERATOR_COALESCE',
  alias: '',
  children: [{ class: 'POSITIONAL_REFERENCE', type: 'POSITIONAL_REFERENCE', alias: '', index }],
});

const star = (): SyntaxNode => ({
  class: 'STAR',
  type: 'STAR',
  alias: '',
  relation_name: '',
  exclude_list: [],
  replace_list: [],
  columns: false,
  expr: null,
  qualified_exclude_list: [],
  rename_list: [],
});

const call = (name: string, child: SyntaxNode): SyntaxNode => ({
  class: 'FUNCTION',
  type: 'FUNCTION',
  alias: '',
  function_name: name,
  schema: '',
  children: [child],
  filter: null,
  order_bys: { type: 'ORDER_MODIFIER', orders: [] },
  distinct: false,
  is_operator: false,
  export_state: false,
  catalog: '',
});

/** Returns whether a plan converts texts to numbers where the query does not say so: `text = 5`. */
export function convertsSilently(plan: SyntaxNode): boolean {
  let isSilent = false;
  forEachNode(plan, (node) => {
    const child = node['child'];
    if (node['expression_class'] !== 'BOUND_CAST' || !isNode(child)) return;
    if (typeId(child['return_type']) !== 'VARCHAR' || !NUMBER.test(typeId(node['return_type']))) return;
    const [check] = (child['case_checks'] as SyntaxNode[] | undefined) ?? [];
    if (!JSON.stringify(check?.['when_expr'] ?? '').includes(CONVERTED)) isSilent = true;
  });
  return isSilent;
}
