import { articleRunner } from '#article/runner.js';
import { bookRunner } from '#book/runner.js';
import { changeRunner } from '#change/runner.js';
import { documentRunner } from '#document/runner.js';
import type { RunnerFeature } from '#kit/runner/feature.js';
import type { SearchDependencies } from '#knowledge/runner.js';
import { planRunner } from '#plan/runner.js';
import { reviewRunner } from '#review/runner.js';

/** Kinds of run that this runner serves, one line each. */
export const features: RunnerFeature<SearchDependencies>[] = [
  documentRunner,
  planRunner,
  bookRunner,
  articleRunner,
  changeRunner,
  reviewRunner,
];
