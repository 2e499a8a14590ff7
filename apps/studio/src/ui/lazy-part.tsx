import { lazy, Suspense, type ComponentType, type ReactNode, useState, type ComponentProps } from 'react';
import { PageLoader } from './frames';
import { retryingImport } from '../api/retrying-import';
import type FormDialog from './form-dialog';

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

const Loaded = lazy(retryingImport(() => import('./form-dialog')));

/** A dialog that is loaded when it opens first. Then it stays, because it returns the focus after it is closed. */
export function LazyDialog(props: ComponentProps<typeof FormDialog>) {
  const [isLoaded, setLoaded] = useState(false);
  if (props.isOpen && !isLoaded) setLoaded(true);
  return isLoaded && <Suspense children={<Loaded {...props} />} />;
}

/** Editor that is loaded when a page shows it. */
export const LazyMarkdownEditor = lazyPart(() => import('./markdown-editor'));
