import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';

interface SearchFieldProps {
  label: string;
  /** The current search; empty for none. */
  value: string;
  /** Called shortly after the user stops typing, with the text without spaces around it. */
  onSearch: (text: string) => void;
}

/** Delay in ms between the last key and the search. */
const DELAY_MS = 250;

/** A plain search field; Mantine's would add its code to the first page. */
export function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  const search = useDebouncedCallback((text: string) => onSearch(text.trim()), DELAY_MS);
  return (
    <input
      type="search"
      className="search-field"
      aria-label={label}
      placeholder={label}
      maxLength={200}
      value={typed}
      onChange={({ currentTarget: { value: text } }) => {
        setTyped(text);
        search(text);
      }}
    />
  );
}
