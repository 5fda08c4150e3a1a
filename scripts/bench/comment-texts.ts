/** Comments as people write them: most are a few plain sentences, some use a little Markdown. */
const plain = [
  'I have used this for about three weeks now and it has held up well. The only thing I would change is the colour of the handle, which is hard to see in the dark. Delivery took four days, which was quicker than I expected.',
  'Thanks for looking into this so quickly. We see the same thing on our side whenever two people open the document at once; it goes away after a reload. I will try again tomorrow with the new version and report back here.',
  'Could somebody from the finance team have a look at the second column? The totals do not match the ones in the report of last month, and the difference is exactly the amount of the credit note we issued in June.',
  'Agreed. Let us keep the meeting short and decide on Thursday, when everybody has had the time to read the proposal. If anything in it is unclear, please leave a comment next to the paragraph in question.',
  'Das sehe ich genauso. Wir sollten zuerst die offenen Fragen klären und danach über den Termin sprechen; am Freitag ist das Büro ohnehin geschlossen. Ich schicke heute Abend noch eine kurze Zusammenfassung an alle.',
  'The pictures in the gallery are lovely, especially the one with the bridge in the fog. Which lens did you use for it? I was there last autumn and could not get anywhere near that view from the public path.',
];

const formatted = [
  'Three things before we ship this:\n\n- the **error message** should name the file\n- the link in the footer still points to the old page\n- `retry` has to be off by default\n\nThe rest looks good to me.',
  'I wrote it up in [the handbook](https://example.com/handbook/returns), see the part about **returns**. In short: send it back within 30 days, keep the receipt, and *do not* throw away the box it came in.',
];

/** The bodies of comments to create, three quarters of them plain, about 200 characters each. */
export const commentBodies: readonly string[] = [...plain, ...formatted].map((text) =>
  JSON.stringify({ text }),
);
