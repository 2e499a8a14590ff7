/** Finds code in a spec whose result depends on how fast the machine is, or that waits for a time instead of an event. */
import ts from 'typescript';

/** Longest allowed sleep in ms. */
const MAX_SLEEP_MS = 50;

/** Functions that sleep, or whose callback runs after some time. */
const SLEEPS = new Set(['setTimeout', 'delay', 'sleep']);
/** Objects whose method `setTimeout` sleeps; the method of a server or request sets a limit instead. */
const TIMERS = new Set(['globalThis', 'window', 'timers']);

/** Calls that read the time of day. */
const TIMES = new Set(['Date.now', 'performance.now']);
/** Calls that measure; `growth` compares CPU times (libs/testing/growth.ts). */
const MEASURES = new Set([
  'performance.now',
  'process.cpuUsage',
  'process.hrtime',
  'process.hrtime.bigint',
  'growth',
]);

const UPPER_BOUNDS = new Set(['toBeLessThan', 'toBeLessThanOrEqual']);
/** Words in the names of durations: `tookMs`, `MOST_SECONDS`, `elapsed`. */
const DURATION_WORD =
  /^(?:ms|millis|milliseconds?|micros|microseconds?|seconds|secs|minutes|elapsed|took|lasted|duration|latency)$/;

/**
 * Finds unsteady code.
 *
 * @param text a spec in TypeScript
 * @returns `LINE: what is wrong` for each line with unsteady code, in order
 */
export function findUnsteadyCode(text: string): string[] {
  return [...faultsByLine(text)].sort(([a], [b]) => a - b).map(([line, fault]) => `${line}: ${fault}`);
}

function faultsByLine(text: string): Map<number, string> {
  const file = ts.createSourceFile('a.spec.ts', text, ts.ScriptTarget.Latest, true);
  const names = new Names(file);
  const found = new Map<number, string>();
  const note = (line: number, fault: string) => found.has(line) || found.set(line, fault);
  const lineOf = (position: number) => file.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const fault = sleepFault(node, names) ?? expectationFault(node, names);
      if (fault) note(lineOf(node.expression.getEnd()), fault);
    }
    // The program of a thread or a process of the spec.
    if (isText(node) && SLEEP_IN_TEXT.test(node.getText()))
      for (const [line, fault] of faultsByLine(node.getText().slice(1, -1)))
        note(lineOf(node.getStart()) + line - 1, fault);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const SLEEP_IN_TEXT = /\b(?:setTimeout|delay|sleep)\(/;
const isText = (node: ts.Node): boolean => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

function sleepFault(call: ts.CallExpression, names: Names): string | null {
  const name = sleepName(call.expression, names);
  if (name === null) return null;
  // `setTimeout(work, ms)` of Node's timers, `setTimeout(ms)` of node:timers/promises.
  const ms = call.arguments
    .slice(0, 2)
    .map((argument) => names.numberOf(argument))
    .find((n) => n !== null);
  return ms !== undefined && ms !== null && ms > MAX_SLEEP_MS
    ? `${name} of ${ms} ms, more than ${MAX_SLEEP_MS} ms`
    : null;
}

function sleepName(callee: ts.Expression, names: Names): string | null {
  if (ts.isIdentifier(callee)) {
    const name = names.importedAs(callee.text);
    return SLEEPS.has(name) ? callee.text : null;
  }
  const isTimer =
    ts.isPropertyAccessExpression(callee) &&
    callee.name.text === 'setTimeout' &&
    ts.isIdentifier(callee.expression) &&
    TIMERS.has(callee.expression.text);
  return isTimer ? 'setTimeout' : null;
}

/** Checks a matcher, `expect(ACTUAL)….MATCHER(EXPECTED)`. */
function expectationFault(call: ts.CallExpression, names: Names): string | null {
  if (!ts.isPropertyAccessExpression(call.expression)) return null;
  const actual = actualOf(call.expression.expression);
  if (actual === null) return null;
  const compared = [...actual, ...call.arguments];
  if (compared.some((node) => names.contains(node, isTimeDifference)))
    return 'an expectation of measured time';
  const { text } = call.expression.name;
  const isDuration = (node: ts.Node) =>
    hasPart(node, isDurationName) || names.contains(node, (part) => isCallOf(part, MEASURES));
  return UPPER_BOUNDS.has(text) && compared.some(isDuration) ? `${text} on a duration` : null;
}

/** Returns the arguments of `expect(…)` below `.not`, `.resolves` and the like; null if there are none. */
function actualOf(node: ts.Expression): readonly ts.Expression[] | null {
  if (ts.isPropertyAccessExpression(node)) return actualOf(node.expression);
  const isExpect = ts.isCallExpression(node) && node.expression.getText() === 'expect';
  return isExpect ? node.arguments : null;
}

/** A difference of two times; `Date.now() - 1_000` is a time. */
function isTimeDifference(node: ts.Node, names: Names): boolean {
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.MinusToken) return false;
  const isTime = (side: ts.Expression) => names.contains(side, (part) => isCallOf(part, TIMES));
  return (isTime(node.left) && names.numberOf(node.right) === null) || isTime(node.right);
}

const isCallOf = (node: ts.Node, functions: ReadonlySet<string>): boolean =>
  ts.isCallExpression(node) && functions.has(node.expression.getText());

const hasPart = (node: ts.Node, isWanted: (part: ts.Node) => boolean): boolean =>
  isWanted(node) || (ts.forEachChild(node, (part) => hasPart(part, isWanted) || undefined) ?? false);

function isDurationName(node: ts.Node): boolean {
  if (!ts.isIdentifier(node) || ts.isPropertyAssignment(node.parent)) return false;
  const words = node.text.split(/_|(?<=[a-z0-9])(?=[A-Z])/);
  return words.some((word) => DURATION_WORD.test(word.toLowerCase()));
}

/** A name that a file declares. */
interface Declared {
  /** Scope of the name. */
  scope: ts.Node;
  /** The value; of a destructured name, the value as a whole. */
  value: ts.Expression | ts.FunctionDeclaration;
}

/** The names of a file and their values. */
class Names {
  private readonly declared = new Map<string, Declared[]>();
  private readonly imported = new Map<string, string>();

  constructor(file: ts.SourceFile) {
    const visit = (node: ts.Node): void => {
      if (ts.isVariableDeclaration(node) && node.initializer) this.addAll(node.name, node, node.initializer);
      if (ts.isFunctionDeclaration(node) && node.name) this.add(node.name.text, node, node);
      if (ts.isImportSpecifier(node))
        this.imported.set(node.name.text, (node.propertyName ?? node.name).text);
      ts.forEachChild(node, visit);
    };
    visit(file);
  }

  /** Returns the exported name of an import; the name itself if it is not imported. */
  importedAs(name: string): string {
    return this.imported.get(name) ?? name;
  }

  /** Returns the value of a number, of a name for one, or of a calculation with them; null if unknown. */
  numberOf(node: ts.Expression): number | null {
    if (ts.isNumericLiteral(node)) return Number(node.text);
    if (ts.isParenthesizedExpression(node)) return this.numberOf(node.expression);
    if (ts.isIdentifier(node)) {
      const value = this.valueOf(node);
      return value && !ts.isFunctionDeclaration(value) ? this.numberOf(value) : null;
    }
    if (!ts.isBinaryExpression(node)) return null;
    const calculate = CALCULATIONS[node.operatorToken.kind];
    const [left, right] = [this.numberOf(node.left), this.numberOf(node.right)];
    return calculate && left !== null && right !== null ? calculate(left, right) : null;
  }

  /**
   * Returns whether a node, or a value that it names, contains a certain kind of code. Functions count only if called
   * or passed on.
   */
  contains(
    node: ts.Node,
    isWanted: (part: ts.Node, names: Names) => boolean,
    seen = new Set<ts.Node>(),
  ): boolean {
    if (isWanted(node, this)) return true;
    if (isFunction(node))
      return isCallback(node) && resultsOf(node).some((result) => this.contains(result, isWanted, seen));
    if (ts.isIdentifier(node)) {
      const value = this.valueOf(node);
      if (!value || seen.has(value)) return false;
      seen.add(value);
      if (!isFunction(value)) return this.contains(value, isWanted, seen);
      const isCalled = ts.isCallExpression(node.parent) && node.parent.expression === node;
      return isCalled && resultsOf(value).some((result) => this.contains(result, isWanted, seen));
    }
    return ts.forEachChild(node, (part) => this.contains(part, isWanted, seen) || undefined) ?? false;
  }

  private addAll(name: ts.BindingName, declaration: ts.Node, value: ts.Expression): void {
    if (ts.isIdentifier(name)) return this.add(name.text, declaration, value);
    for (const element of name.elements)
      if (ts.isBindingElement(element)) this.addAll(element.name, declaration, value);
  }

  private add(name: string, declaration: ts.Node, value: Declared['value']): void {
    const scope = ts.findAncestor(declaration.parent, isScope)!;
    this.declared.set(name, [...(this.declared.get(name) ?? []), { scope, value }]);
  }

  /** Returns the value of the innermost declaration with that name; null if it has none in the file. */
  private valueOf(name: ts.Identifier): Declared['value'] | null {
    // A property, not a name.
    if (ts.isPropertyAccessExpression(name.parent) && name.parent.name === name) return null;
    const all = this.declared.get(name.text) ?? [];
    for (let scope: ts.Node | undefined = name; scope; scope = scope.parent) {
      const inside = all.find((declared) => declared.scope === scope);
      if (inside) return inside.value;
    }
    return null;
  }
}

const CALCULATIONS: Partial<Record<ts.SyntaxKind, (a: number, b: number) => number>> = {
  [ts.SyntaxKind.PlusToken]: (a, b) => a + b,
  [ts.SyntaxKind.MinusToken]: (a, b) => a - b,
  [ts.SyntaxKind.AsteriskToken]: (a, b) => a * b,
  [ts.SyntaxKind.SlashToken]: (a, b) => a / b,
};

const isScope = (node: ts.Node): boolean =>
  ts.isSourceFile(node) || ts.isBlock(node) || ts.isForStatement(node) || ts.isForOfStatement(node);

type Function = ts.FunctionDeclaration | ts.ArrowFunction | ts.FunctionExpression;

const isFunction = (node: ts.Node): node is Function =>
  ts.isFunctionDeclaration(node) || ts.isArrowFunction(node) || ts.isFunctionExpression(node);

/** Whether a function is called by the function that receives it, as far as this can be determined. */
const isCallback = ({ parent }: Function): boolean =>
  ts.isCallExpression(parent) && parent.expression.getText() !== 'expect';

/** Returns the expressions that a function returns. */
function resultsOf({ body }: Function): ts.Expression[] {
  if (!body) return [];
  if (!ts.isBlock(body)) return [body];
  const results: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isReturnStatement(node) && node.expression) results.push(node.expression);
    if (!isFunction(node)) ts.forEachChild(node, visit);
  };
  visit(body);
  return results;
}
