/** Who is drawn. */
type Drawn = { readonly display_name: string; readonly avatar_url?: string | undefined };

/** The picture of a user, or else the first letters of their name. The name itself stands beside it. */
export function Avatar({ user: { display_name: name, avatar_url: picture } }: { readonly user: Drawn }) {
  return (
    <span class="avatar" aria-hidden="true">
      {picture !== undefined && isOwn(picture) ? (
        <img src={picture} alt="" width={28} height={28} loading="lazy" />
      ) : (
        initialsOf(name)
      )}
    </span>
  );
}

/** Whether the page may show a picture: its policy permits those of this server. */
export function isOwn(address: string): boolean {
  return new URL(address, window.location.href).origin === window.location.origin;
}

/** The first letters of the first and of the last word of a name, as capitals. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  // By characters: a letter of some scripts has two units.
  return ends.map((word) => ([...(word ?? '')][0] ?? '').toUpperCase()).join('');
}
