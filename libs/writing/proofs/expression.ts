/** A calculation: a number, or two calculations with an operator between them. */
export type Expression = number | { sign: Sign; left: Expression; right: Expression };
type Sign = '+' | '-' | '*' | '/';

const LONGEST = 200;
const TOKEN = /\d+(?:\.\d+)?|[-+*/()]/g;
/** Other ways to write the operators, signs of units, and thousands grouped by commas. */
const FORMS: [RegExp, string][] = [
  [/[×·⋅]|(?<=[\d)] ?)x(?= ?[\d(])/g, '*'],
  [/[÷:]/g, '/'],
  [/[−–]/g, '-'],
  [/[£€$%]/g, ''],
  [/(?<=\d),(?=\d{3}(?!\d))/g, ''],
];

/**
 * Reads a calculation such as `(14 - 2) * 3`.
 *
 * @returns null unless it consists of numbers, `+ - * /` and parentheses only
 */
export function readExpression(calculation: string): Expression | null {
  if (calculation.length > LONGEST) return null;
  const plain = FORMS.reduce((text, [form, sign]) => text.replace(form, sign), calculation);
  if (plain.replace(TOKEN, '').trim() !== '') return null;
  const tokens = plain.match(TOKEN) ?? [];
  const read = readSum(tokens);
  return tokens.length === 0 ? read : null;
}

/** Returns the value of a calculation; not finite after a division by zero. */
export function valueOf(expression: Expression): number {
  if (typeof expression === 'number') return expression;
  const left = valueOf(expression.left);
  const right = valueOf(expression.right);
  switch (expression.sign) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
  }
}

/** Returns a calculation as people write it: `(14 − 2) × 3`. */
export function written(expression: Expression): string {
  if (typeof expression === 'number') return String(expression);
  const { sign, left, right } = expression;
  const isProduct = sign === '*' || sign === '/';
  const inside = (part: Expression, isBehind: boolean) => {
    const isSum = typeof part !== 'number' && (part.sign === '+' || part.sign === '-');
    const needsParentheses = isProduct ? isSum || (isBehind && typeof part !== 'number') : isBehind && isSum;
    return needsParentheses ? `(${written(part)})` : written(part);
  };
  return `${inside(left, false)} ${SIGNS[sign]} ${inside(right, true)}`;
}

const SIGNS: Record<Sign, string> = { '+': '+', '-': '−', '*': '×', '/': '÷' };

// The readers consume tokens from the front; null stands for a calculation that is incomplete.

function readSum(tokens: string[]): Expression | null {
  return readChain(tokens, ['+', '-'], readProduct);
}

function readProduct(tokens: string[]): Expression | null {
  return readChain(tokens, ['*', '/'], readNumber);
}

function readChain(
  tokens: string[],
  signs: Sign[],
  readPart: (tokens: string[]) => Expression | null,
): Expression | null {
  let left = readPart(tokens);
  for (let sign = signOf(tokens, signs); sign; sign = signOf(tokens, signs)) {
    tokens.shift();
    const right = readPart(tokens);
    if (left === null || right === null) return null;
    left = { sign, left, right };
  }
  return left;
}

const signOf = ([token]: string[], signs: Sign[]): Sign | undefined => signs.find((sign) => sign === token);

function readNumber(tokens: string[]): Expression | null {
  const token = tokens.shift();
  if (token !== '(') return token !== undefined && /^\d/.test(token) ? Number(token) : null;
  const inside = readSum(tokens);
  return tokens.shift() === ')' ? inside : null;
}
