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
export const en = catalogueOf(texts) as All<AreaTexts>;
