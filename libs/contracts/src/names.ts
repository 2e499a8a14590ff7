import { z } from 'zod';
import { INVISIBLE } from './invisible.js';

/** A name or title that people read, in one line. */
export const nameSchema = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .refine((text) => !INVISIBLE.test(text), 'holds a control or an invisible character');

/** One line of words: no line ends, nothing at its ends. */
export const lineSchema = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'must be one line');
