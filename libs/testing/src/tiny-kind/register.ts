/** Adds the tiny kind to this process; `node --import` it before anything else is loaded. */
import './add-contract.js';
import { knownKinds } from '#kinds/registry.js';
import type { KindFacts } from '#run-engine/kind.js';
import { tinyFacts } from './facts.js';

(knownKinds as Map<string, KindFacts>).set('tiny', tinyFacts);
