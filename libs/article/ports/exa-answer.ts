import { z } from 'zod';
import { dayOf, isWebAddress, shortLine } from './found-pages.js';

/** Page found by a web search. */
export interface ExaPage {
  url: string;
  title: string;
  author: string | null;
  /** `YYYY-MM-DD`; null if it is unknown. Absent in pages stored by an older release. */
  date?: string | null;
  text: string;
  summary: string | null;
}

const prose = (value: string): string => value.replaceAll('\u0000', '').toWellFormed();

/** Used part of Exa's response to `POST /search`. */
export const exaAnswerSchema = z.object({
  results: z.array(
    z
      .object({
        url: z.string().max(2_000),
        title: z.string().nullish(),
        author: z.string().nullish(),
        publishedDate: z.string().nullish(),
        text: z.string().nullish(),
        summary: z.string().nullish(),
      })
      .transform(({ url, title, author, publishedDate, text, summary }): ExaPage => ({
        url,
        title: shortLine(title) ?? url,
        author: shortLine(author),
        date: dayOf(publishedDate),
        text: prose(text ?? ''),
        summary: shortLine(summary),
      })),
  ),
  /** Cost in the currency of the account. */
  costDollars: z.object({ total: z.number().min(0) }).optional(),
});

/** Returns the pages that can be cited: those with text and an HTTP(S) URL. */
export const citable = (pages: ExaPage[]): ExaPage[] =>
  pages.filter(({ url, text }) => isWebAddress(url) && text.trim() !== '');
