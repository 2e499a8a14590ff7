import { z } from 'zod';
import { hasInvisible } from './invisible.js';

/** Returns a schema of names and titles for people, in one line without invisible characters. */
export const nameSchema = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .refine((text) => !hasInvisible(text), 'contains a control or an invisible character');

/** Returns a schema of one line of text, which is trimmed. */
export const lineSchema = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'must be one line');
