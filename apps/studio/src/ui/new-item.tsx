import { Button } from '@mantine/core';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { retryingImport } from '../api/retrying-import';
import { useMay } from '../api/session';

const FormDialog = lazy(retryingImport(() => import('./form-dialog')));

/** Button that opens a form for a new item, for users with write access; loads dialog and form on demand. */
export function NewItem({ label, children }: { label: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const [isLoaded, setLoaded] = useState(false);
  if (!useMay('write')) return null;
  const open = () => {
    setLoaded(true);
    setOpen(true);
  };
  return (
    <>
      <Button onClick={open}>{label}</Button>
      {isLoaded && (
        <Suspense>
          <FormDialog title={label} isOpen={isOpen} onClose={() => setOpen(false)}>
            {children}
          </FormDialog>
        </Suspense>
      )}
    </>
  );
}
