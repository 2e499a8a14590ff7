import { lazy } from 'react';
import { retryingImport } from '../api/retrying-import';

/** Editor that is loaded when a page shows it; requires a `Suspense` ancestor. */
export const LazyMarkdownEditor = lazy(retryingImport(() => import('./markdown-editor')));
