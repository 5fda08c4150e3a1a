var e={notFound:"The comment that the address names is not here any more."};export{e as a};
