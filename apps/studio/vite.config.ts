import { join } from 'node:path';
import { defineConfig } from 'vite';
import { mantineStyles, textFiles } from './build-plugins.js';

const root = import.meta.dirname;

/** Builds the studio as files for the gateway, which replaces `__NONCE__` with a new nonce in each response. */
export default defineConfig({
  root,
  plugins: [mantineStyles(), textFiles(join(root, '../../libs/locales'))],
  html: { cspNonce: '__NONCE__' },
  // The libraries' sources: in dist, their dependencies are bundled for Node.
  resolve: {
    alias: [
      { find: /^#(.*)\.js$/, replacement: join(root, '../../libs/$1.ts') },
      { find: /^#(.*\.json)$/, replacement: join(root, '../../libs/$1') },
    ],
  },
  build: {
    outDir: join(root, '../../dist/apps/studio'),
    emptyOutDir: true,
    target: 'es2022',
    reportCompressedSize: false,
    // A file within a page or a style sheet would need an exception of the content security policy.
    assetsInlineLimit: 0,
    // All browsers that run ES2022 either preload modules or do without.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Otherwise the English texts of the service, which the service itself sends, become part of the first page.
      treeshake: { moduleSideEffects: [{ test: /\/libs\/contracts\//, sideEffects: false }] },
      output: {
        // Put the modules that every page needs in one file instead of dozens.
        codeSplitting: { groups: [{ name: 'common', tags: ['$initial'] }] },
      },
    },
  },
});
