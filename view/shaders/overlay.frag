in vec4 shade;
out vec4 color;

void main()
{
    write_depth();
    color = shade;
}
