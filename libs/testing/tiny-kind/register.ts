/** Adds the tiny kind to this process; `node --import` it before anything else is loaded. */
import './add-contract.js';
import { knownKinds } from '../known-kinds.js';
import type { KindFacts } from '#engine/kind.js';
import { tinyFacts } from './facts.js';

(knownKinds as Map<string, KindFacts>).set('tiny', tinyFacts);
