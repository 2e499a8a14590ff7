import { renderPhrase, type Phrase, type PhraseParam } from './render.js';
import texts from '#locales/en.json' with { type: 'json' };
import type { Texts } from '#locales/generated/texts.js';
import { catalogueOf } from './catalogue.js';

type Areas = Pick<Texts, 'service' | 'files' | 'cli'>;
type AreaTexts = { [Program in keyof Areas]: Areas[Program][keyof Areas[Program]] }[keyof Areas];
/** All members of a union as one type. */
type All<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer Each) => void
  ? Each
  : never;

/** English texts for people, by phrase code. Responses contain the text together with its code and parameters. */
const en = catalogueOf(texts) as All<AreaTexts>;

export type { Phrase } from './render.js';

/** Codes of all texts that this release sends. */
export type PhraseCode = keyof typeof en;

type Placeholders<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;
/** Names of a text's parameters, in any of its plural forms. */
type Names<Code extends PhraseCode> = (typeof en)[Code] extends infer Text
  ? Text extends string
    ? Placeholders<Text>
    : Placeholders<Text[keyof Text]> | 'count'
  : never;
type Params<Code extends PhraseCode> = [Names<Code>] extends [never]
  ? []
  : [params: Record<Names<Code>, PhraseParam>];

/** Returns a phrase; the compiler checks that it has the parameters of its English text. */
export function phrase<Code extends PhraseCode>(code: Code, ...[params]: Params<Code>): Phrase {
  return { code, params: params ?? {} };
}

/** Returns the English text of a phrase that this release made. */
export function englishText(given: Phrase): string {
  return renderPhrase(en, 'en', given)!;
}

/** Returns whether this release has a text with that code. */
export const isPhraseCode = (code: string): code is PhraseCode => Object.hasOwn(en, code);

type Separator = 'paragraphs' | 'lines' | 'list' | 'semicolons' | 'sentences' | 'outline.and';

/** Joins phrases to one. @param phrases at least one */
export function joinPhrases(code: Separator, [first, ...others]: Phrase[]): Phrase {
  return others.length === 0 ? first! : phrase(code, { first: first!, rest: joinPhrases(code, others) });
}

/** Like `joinPhrases`, for texts of which some come from elsewhere. */
export function joinDetails(code: Separator, [first, ...others]: (Phrase | string)[]): Phrase | string {
  return others.length === 0 ? first! : phrase(code, { first: first!, rest: joinDetails(code, others) });
}
