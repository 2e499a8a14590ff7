/** Makes the tiny kind known to this process; `node --import` it before anything else is loaded. */
import { findRunKind, registerRunKind } from '#contracts/kinds/registry.js';
import { knownKinds, registerKindFacts } from '#kinds/registry.js';
import { tinyKind } from './contract.js';
import { tinyFacts } from './facts.js';

if (!findRunKind(tinyKind.kind)) registerRunKind(tinyKind);
if (!knownKinds.has(tinyFacts.kind)) registerKindFacts(tinyFacts);
