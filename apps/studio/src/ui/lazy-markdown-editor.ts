import { lazy } from 'react';
import { retryingImport } from '../api/retrying-import';

/** The editor, loaded when a page shows it; needs a `Suspense` around it. */
export const LazyMarkdownEditor = lazy(retryingImport(() => import('./markdown-editor')));
