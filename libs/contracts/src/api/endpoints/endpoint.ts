import type { z } from 'zod';
import type { ProblemCode } from '../../errors.js';
import type { Scope } from '../access-schemas.js';

export interface Endpoint {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  summary: string;
  tag: string;
  /** No API key needed. */
  open?: boolean;
  /** The operator's: needs the admin's credentials (HTTP Basic) in place of a key. */
  admin?: boolean;
  /** The scope that the key needs; `read` for GET and `write` for the rest by default, `any` when each will do. */
  scope?: Scope | 'any';
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The body may also be (or is only) multipart/form-data. */
  multipart?: 'only' | 'also';
  status: number;
  /** Other statuses that come with the same JSON. */
  alsoStatus?: number[];
  /** The JSON it answers with; absent for streams and files. */
  response?: z.ZodType;
  /** Media types that are not JSON; beside `response`, what `Accept` or the query can ask for. */
  media?: string | string[];
  /** Its answer is streamed without an ETag, which any other GET has. */
  untagged?: boolean;
  /** The field of the answer that is shown once: it is kept nowhere, not for a repeated request either. */
  shownOnce?: string;
  errors: ProblemCode[];
}

/** Checks the endpoints of one tag and keeps their literal types. */
export const defineEndpoints = <T extends Record<string, Endpoint>>(catalogue: T): T => catalogue;

/** Whether an endpoint answers with an ETag, and with 304 while `If-None-Match` names it. */
export function isTagged({ method, untagged }: Endpoint): boolean {
  return method === 'GET' && untagged !== true;
}

/** Whether an endpoint answers with events, which are no answer that could be kept. */
export function isStream({ media }: Endpoint): boolean {
  return media === 'text/event-stream';
}

/** The scope that a caller needs for an endpoint. */
export function scopeOf({ scope, method }: Endpoint): Scope | 'any' {
  return scope ?? (method === 'GET' ? 'read' : 'write');
}
