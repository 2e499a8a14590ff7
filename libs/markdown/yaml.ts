import { Composer, Lexer, Parser, visit, type Document } from 'yaml';

/** Maximum nesting, far above what people write; code that reads or stores the data recurses this deep. */
export const MAX_YAML_DEPTH = 200;

interface YamlOptions {
  /**
   * Whether numbers that JSON would write with other digits become texts as they are written: `1.10`, `007`,
   * `.nan`, integers beyond 2^53. Numbers to other bases stay numbers.
   */
  keepsDigits?: boolean;
}

/**
 * Parses untrusted YAML 1.2. The nesting is limited before any recursion, because a stack overflow in the
 * parser can end the process.
 *
 * @param maxAliasCount maximum number of alias expansions
 * @returns the documents, in their order
 * @throws Error if the text is not YAML, nests deeper than `MAX_YAML_DEPTH` levels or expands too much
 */
export function parseYaml(
  text: string,
  maxAliasCount: number,
  { keepsDigits = false }: YamlOptions = {},
): unknown[] {
  const parser = new Parser();
  const composer = new Composer({ stringKeys: true, prettyErrors: false, logLevel: 'silent' });
  const documents = [];
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) documents.push(...composer.next(token));
    // The parser's stack contains the document and each open collection.
    if (parser.stack.length > MAX_YAML_DEPTH + 1)
      throw new Error(`it is nested deeper than ${MAX_YAML_DEPTH} levels`);
  }
  for (const token of parser.end()) documents.push(...composer.next(token));
  documents.push(...composer.end());
  return documents.map((document) => {
    if (document.errors[0]) throw document.errors[0];
    if (keepsDigits) keepDigits(document);
    return document.toJS({ maxAliasCount }) as unknown;
  });
}

function keepDigits(document: Document): void {
  visit(document, {
    Scalar(_, scalar) {
      const { value, source } = scalar;
      if (typeof value !== 'number' || source === undefined || /^[-+]?0[xo]/.test(source)) return;
      const isSafe = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
      // An exponent is another way to write the same number.
      const isWritten =
        String(value) === source.replace(/^(-?)\./, '$10.') ||
        (/[eE]/.test(source) && Number(source) === value);
      if (!isSafe || !isWritten) scalar.value = source;
    },
  });
}
