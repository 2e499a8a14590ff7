/** Adds the contract of the tiny kind. Load it before the catalogues, which are assembled once from the contracts. */
import { productKinds } from '#catalogue/registry.js';
import { tinyKind } from './contract.js';

Object.assign(productKinds, { tiny: tinyKind });
