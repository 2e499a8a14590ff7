import { Composer, Lexer, Parser, visit, YAMLMap, type Document } from 'yaml';

/** Maximum nesting, far above what people write; code that reads or stores the data recurses this deep. */
const MAX_YAML_DEPTH = 200;

interface YamlOptions {
  /**
   * Whether to preserve values that JSON cannot express. Numbers that JSON would write with other digits become strings
   * as written: `1.10`, `007`, `.nan`, integers beyond 2^53. Numbers in other bases stay numbers. A value with a custom
   * tag becomes an object with the tag as its key: `!Ref x` becomes `{"!Ref": "x"}`. Values of `!!set`, `!!omap`,
   * `!!binary` and `!!timestamp` stay as written. `<<` is merged.
   */
  isExact?: boolean;
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
  { isExact = false }: YamlOptions = {},
): unknown[] {
  const parser = new Parser();
  const composer = new Composer({
    stringKeys: true,
    prettyErrors: false,
    logLevel: 'silent',
    merge: isExact,
    resolveKnownTags: !isExact,
  });
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
    if (isExact) {
      keepDigits(document);
      keepTags(document);
    }
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

/** Tags of YAML's own types. The values of `!` are texts. */
const KNOWN_TAG =
  /^(?:!|tag:yaml\.org,2002:(?:str|int|float|bool|null|map|seq|set|omap|pairs|binary|timestamp|merge))$/;

/** Puts each value with another tag into a map from the tag to the value. */
function keepTags(document: Document): void {
  visit(document, {
    Value(_, node) {
      const { tag } = node;
      if (tag === undefined || KNOWN_TAG.test(tag)) return undefined;
      const map = new YAMLMap(document.schema);
      if (node.anchor !== undefined) map.anchor = node.anchor;
      delete node.anchor;
      delete node.tag;
      map.add({ key: document.createNode(tag.replace('tag:yaml.org,2002:', '!!')), value: node });
      return map;
    },
  });
}
