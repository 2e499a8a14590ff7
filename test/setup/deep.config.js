/** The specs of `npm run test:deep` (scripts/test-deep.js). */
import config from '../../jest.config.js';
import { deepSpecs } from './tiers.js';

export default {
  ...config,
  testMatch: deepSpecs(),
  testPathIgnorePatterns: [],
  globals: { testTier: 'deep' },
};
