import { lazy, Suspense, useState, type ComponentProps } from 'react';
import { retryingImport } from '../api/retrying-import';
import type FormDialog from './form-dialog';

const Loaded = lazy(retryingImport(() => import('./form-dialog')));

/** A dialog that is loaded when it opens first. Then it stays, because it returns the focus after it is closed. */
export function LazyDialog(props: ComponentProps<typeof FormDialog>) {
  const [isLoaded, setLoaded] = useState(false);
  if (props.isOpen && !isLoaded) setLoaded(true);
  return isLoaded && <Suspense children={<Loaded {...props} />} />;
}
