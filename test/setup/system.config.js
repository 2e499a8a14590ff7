/** `npm run test:system`. */
import config from '../../jest.config.js';
import { systemSpecs } from './tiers.js';

export default {
  ...config,
  testMatch: systemSpecs(),
  testPathIgnorePatterns: [],
  globals: { testTier: 'system' },
};
