import { z } from 'zod';
import { lineSchema as line } from '#contracts/names.js';

/** Pages and files that an author names for a text. */
export const namedSourcesSchema = z
  .array(line(2_000))
  .min(1)
  .max(20)
  .refine((all) => new Set(all).size === all.length, 'must differ');

/** Returns whether a named source is the address of a page; otherwise it is the name of a file. */
export const isAddress = (source: string): boolean => /^https?:\/\//i.test(source);
