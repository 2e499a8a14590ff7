import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { itWhere } from './it-where.js';

/** Returns the path of a program on PATH; undefined if it is not installed. */
export const programPath = (name: string): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));

/** Returns whether a program is on PATH. */
const hasProgram = (name: string): boolean => programPath(name) !== undefined;

/**
 * Returns `it` for a test that needs programs which npm does not install. The test is skipped if one is missing; CI installs all of them
 * and treats a skipped test as failed.
 */
export const itWith = (...programs: string[]): typeof it => itWhere(programs.every(hasProgram));
