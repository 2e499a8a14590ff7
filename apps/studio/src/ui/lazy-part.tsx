import { lazy, Suspense, type ComponentType, type ReactNode } from 'react';
import { retryingImport } from '../api/retrying-import';
import { PageLoader } from './page-loader';

/**
 * Returns a part of a page that is loaded when it is shown first.
 *
 * @param fallback what is shown in its place until then
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  fallback: ReactNode = <PageLoader />,
): ComponentType<Props> {
  const Part = lazy(retryingImport(load)) as ComponentType<Props>;
  return function LazyPart(props) {
    return <Suspense fallback={fallback} children={<Part {...props} />} />;
  };
}
