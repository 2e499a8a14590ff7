/** Adds the contract of the tiny kind; load it before the catalogues, which are assembled from the contracts once. */
import { productKinds } from '#contracts/registry.js';
import { tinyKind } from './contract.js';

Object.assign(productKinds, { tiny: tinyKind });
