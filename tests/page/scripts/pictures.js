// What the pictures of the manifest are, as it names them and as they are.
async () => {
  const manifest = await (await fetch(document.querySelector('link[rel=manifest]').href)).json();
  return Promise.all(manifest.icons.map(async ({ src, sizes, type }) => {
    const answer = await fetch(src);
    const { width, height } = await createImageBitmap(await answer.blob()).catch(() => ({}));
    return [answer.headers.get('content-type') === type, sizes, `${width}x${height}`];
  }));
}
