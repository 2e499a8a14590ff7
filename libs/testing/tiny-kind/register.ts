/** Adds the tiny kind to this process; load it with `node --import` before anything else. */
import './add-contract.js';
import { knownKinds } from '../known-kinds.js';
import type { KindFacts } from '#engine/kind.js';
import { tinyFacts } from './facts.js';

(knownKinds as Map<string, KindFacts>).set('tiny', tinyFacts);
