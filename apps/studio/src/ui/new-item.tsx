import { Button } from '@mantine/core';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { retryingImport } from '../api/retrying-import';
import { useMay } from '../api/session';

const FormDialog = lazy(retryingImport(() => import('./form-dialog')));

/** A button that opens the form of something new, for those who may write; dialog and form are loaded then. */
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
