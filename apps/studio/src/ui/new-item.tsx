import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense, type ReactNode } from 'react';
import { useMay } from '../api/session';
import { PageLoader } from './page-loader';

/** A button that opens the form of something new, for those who may write; the form may be loaded then. */
export function NewItem({ label, children }: { label: string; children: ReactNode }) {
  const [isOpen, { open, close }] = useDisclosure();
  if (!useMay('write')) return null;
  return (
    <>
      <Button onClick={open}>{label}</Button>
      <Modal opened={isOpen} onClose={close} title={label} size="lg">
        <Suspense fallback={<PageLoader />}>{children}</Suspense>
      </Modal>
    </>
  );
}
