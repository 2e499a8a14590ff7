/** Outlines of the icons on a grid of 24 by 24, by the name of the navigation entry. */
const OUTLINES: Record<string, string> = {
  home: 'M4 11l8-7 8 7v9h-5v-6H9v6H4z',
  documents: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  books: 'M5 4h6a2 2 0 012 2v14a2 2 0 00-2-2H5zM19 4h-4a2 2 0 00-2 2v14a2 2 0 012-2h4z',
  articles: 'M4 20l1-5L16 4l4 4L9 19zM14 6l4 4',
  plans: 'M4 4h6v5H4zM14 15h6v5h-6zM7 9v8h7',
  decisions: 'M4 5h16v11H9l-5 4zM9.5 9a2.5 2.5 0 115 0c0 1.5-2.5 1.5-2.5 3',
  runs: 'M12 4a8 8 0 108 8M12 8v4l3 2M15 4h5v5',
  knowledge: 'M4 7c0-4 16-4 16 0v10c0 4-16 4-16 0zM4 7c0 4 16 4 16 0M4 12c0 4 16 4 16 0',
  usage: 'M5 20V11M12 20V4M19 20v-6',
  model: 'M7 7h10v10H7zM10 3v4M14 3v4M10 17v4M14 17v4M3 10h4M3 14h4M17 10h4M17 14h4',
  access: 'M9 15a4 4 0 113-3l8 8M16 16l2-2',
  webhooks: 'M9 7a3 3 0 116 0c0 2-2 2-3 5l-2 4M7 13a3 3 0 101 6h8a3 3 0 100-4',
  audit: 'M5 4h14v16H5zM8 9h8M8 13h8M8 17h4',
  service: 'M4 5h16v5H4zM4 14h16v5H4zM7 7.5h1M7 16.5h1',
};

/** Shows the icon of a navigation entry, which its name accompanies. */
export function Icon({ name }: { name: string }) {
  return (
    <svg className="shell-icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={OUTLINES[name]} />
    </svg>
  );
}
