import { Button, type ButtonProps } from '@mantine/core';
import { createContext, useContext, useState, type ReactNode } from 'react';
import { useMay, type Scope } from '../api/session';
import { LazyDialog } from './lazy-part';

const Close = createContext(() => {});

/** Returns a function that closes the dialog around a form, for one that is done. */
export const useClose = () => useContext(Close);

interface NewItemProps extends ButtonProps {
  label: string;
  'aria-label'?: string;
  /** Scope of the users who see it. */
  scope?: Scope;
  children: ReactNode;
}

/** Button that opens a form, such as for a new item, for users who may; loads dialog and form on demand. */
export function NewItem({ label, scope = 'write', children, ...look }: NewItemProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  if (!useMay(scope)) return null;
  return (
    <>
      <Button {...look} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <LazyDialog title={label} isOpen={isOpen} onClose={close}>
        <Close value={close}>{children}</Close>
      </LazyDialog>
    </>
  );
}
