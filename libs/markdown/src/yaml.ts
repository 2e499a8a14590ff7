import { Composer, Lexer, Parser } from 'yaml';

/** Far deeper than people nest; what reads or stores data recurses as deeply as the data nests. */
export const MAX_YAML_DEPTH = 200;

/**
 * Parses YAML 1.2 that anybody may have written. Nesting is counted before anything recurses into it: a stack that overflows in the parser
 * can end the process.
 *
 * @param maxAliasCount how much aliases may expand
 * @returns the documents, in their order
 * @throws Error when the text is no YAML, nests deeper than `MAX_YAML_DEPTH` levels or expands too much
 */
export function parseYaml(text: string, maxAliasCount: number): unknown[] {
  const parser = new Parser();
  const composer = new Composer({ stringKeys: true, prettyErrors: false, logLevel: 'silent' });
  const documents = [];
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) documents.push(...composer.next(token));
    // The parser's stack holds the document and each of the collections that are open.
    if (parser.stack.length > MAX_YAML_DEPTH + 1)
      throw new Error(`it nests deeper than ${MAX_YAML_DEPTH} levels`);
  }
  for (const token of parser.end()) documents.push(...composer.next(token));
  documents.push(...composer.end());
  return documents.map((document) => {
    if (document.errors[0]) throw document.errors[0];
    return document.toJS({ maxAliasCount }) as unknown;
  });
}
